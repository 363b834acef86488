//! For which request of ours a call is made.

use crate::request_context;
use crate::timing::WaitGuard;
use aws_sdk_dynamodb::config::interceptors::{
    BeforeSerializationInterceptorContextRef, BeforeTransmitInterceptorContextMut,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_types::config_bag::{Storable, StoreReplace};

/// The header by which X-Ray follows a request through AWS.
const TRACE_HEADER: &str = "x-amzn-trace-id";

/// Has every call count as waiting of the request that it is made for, and carry its trace.
#[derive(Debug)]
pub struct TraceInterceptor;

impl Intercept for TraceInterceptor {
    fn name(&self) -> &'static str {
        "for whom"
    }

    fn read_before_execution(
        &self,
        _context: &BeforeSerializationInterceptorContextRef<'_>,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Some(wait) = request_context::begin(|timers| &timers.store) {
            // It ends with the call, also with one that is given up.
            config.interceptor_state().store_put(UnderWay { _wait: wait });
        }
        Ok(())
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        // The SDK would take it from the environment, which is the whole process's, not this request's.
        if let Some(trace) = request_context::trace() {
            context.request_mut().headers_mut().insert(TRACE_HEADER, trace);
        }
        Ok(())
    }
}

#[derive(Debug)]
struct UnderWay {
    _wait: WaitGuard,
}

impl Storable for UnderWay {
    type Storer = StoreReplace<Self>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request_context::{RequestContext, inherit};
    use crate::timing::RequestTimers;
    use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
    use aws_smithy_runtime_api::client::http::{
        HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn,
    };
    use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
    use aws_smithy_types::body::SdkBody;
    use http::HeaderValue;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;
    use tokio::time::{sleep, timeout};

    const TRACE: &str = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";
    const A_SECOND: Duration = Duration::from_secs(1);

    /// A store that takes a second, and keeps the trace that each request came with.
    #[derive(Clone, Debug, Default)]
    struct Table(Arc<Mutex<Vec<Option<String>>>>);

    impl HttpConnector for Table {
        fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
            self.0.lock().unwrap().push(request.headers().get(TRACE_HEADER).map(str::to_owned));
            HttpConnectorFuture::new(async {
                sleep(A_SECOND).await;
                Ok(HttpResponse::new(200_u16.try_into().unwrap(), SdkBody::from("{}")))
            })
        }
    }

    async fn ask(table: &Table) {
        let table = table.clone();
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("id", "secret", None, None, "test"))
            .endpoint_url("http://table")
            .interceptor(TraceInterceptor)
            .http_client(http_client_fn(move |_, _| SharedHttpConnector::new(table.clone())));
        aws_sdk_dynamodb::Client::from_conf(config.build()).list_tables().send().await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_carries_the_trace_of_the_request_that_it_is_made_for_and_counts_as_its_waiting() {
        let (table, timers) = (Table::default(), RequestTimers::start());
        let context = RequestContext { timers: timers.clone(), trace: Some(HeaderValue::from_static(TRACE)) };
        context.clone().scope(ask(&table)).await;
        let seen = || std::mem::take(&mut *table.0.lock().unwrap());
        assert_eq!((seen(), timers.store.total()), (vec![Some(TRACE.to_owned())], Some(A_SECOND)));

        let other = table.clone();
        context.scope(async { tokio::spawn(inherit(async move { ask(&other).await })).await }).await.unwrap();
        assert_eq!((seen(), timers.store.total()), (vec![Some(TRACE.to_owned())], Some(2 * A_SECOND)));

        ask(&table).await;
        assert_eq!((seen(), timers.store.total()), (vec![None], Some(2 * A_SECOND)), "made for nobody");
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_is_given_up_is_not_waited_for_any_more() {
        let (table, timers) = (Table::default(), RequestTimers::start());
        let context = RequestContext { timers: timers.clone(), trace: None };
        timeout(A_SECOND / 4, context.scope(ask(&table))).await.unwrap_err();
        sleep(A_SECOND).await;
        assert_eq!(timers.store.total(), Some(A_SECOND / 4));
    }
}
