//! Attributes AWS calls to the request that makes them.

use crate::request_context;
use crate::timing::WaitGuard;
use aws_sdk_dynamodb::config::interceptors::{
    BeforeSerializationInterceptorContextRef, BeforeTransmitInterceptorContextMut,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_types::config_bag::{Storable, StoreReplace};

/// The trace header of X-Ray.
const TRACE_HEADER: &str = "x-amzn-trace-id";

/// Adds the time of every call to the clocks of its request, and the trace header of the request to the call.
#[derive(Debug)]
pub struct TraceInterceptor;

impl Intercept for TraceInterceptor {
    fn name(&self) -> &'static str {
        "request attribution"
    }

    fn read_before_execution(
        &self,
        _context: &BeforeSerializationInterceptorContextRef<'_>,
        config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let Some(wait) = request_context::begin(|timers| &timers.store) {
            // Dropped with the call, even if the call is cancelled.
            config.interceptor_state().store_put(InProgress { _wait: wait });
        }
        Ok(())
    }

    fn modify_before_signing(
        &self,
        context: &mut BeforeTransmitInterceptorContextMut<'_>,
        _components: &RuntimeComponents,
        _config: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        // The SDK reads it from the environment, which belongs to the process, not to this request.
        if let Some(trace) = request_context::trace() {
            context.request_mut().headers_mut().insert(TRACE_HEADER, trace);
        }
        Ok(())
    }
}

#[derive(Debug)]
struct InProgress {
    _wait: WaitGuard,
}

impl Storable for InProgress {
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
    use uuid::Uuid;

    const TRACE: &str = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";
    const A_SECOND: Duration = Duration::from_secs(1);

    /// A table that answers after a second and records the trace header of each request.
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

    async fn call(table: &Table) {
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
    async fn a_call_has_the_trace_and_the_clock_of_its_request() {
        let table = Table::default();
        let timers = RequestTimers::start();
        let context = RequestContext {
            request_id: Uuid::nil(),
            timers: timers.clone(),
            trace: Some(HeaderValue::from_static(TRACE)),
        };
        context.clone().scope(call(&table)).await;
        let seen = || std::mem::take(&mut *table.0.lock().unwrap());
        assert_eq!((seen(), timers.store.total()), (vec![Some(TRACE.to_owned())], Some(A_SECOND)));

        let other = table.clone();
        context.scope(async { tokio::spawn(inherit(async move { call(&other).await })).await }).await.unwrap();
        assert_eq!((seen(), timers.store.total()), (vec![Some(TRACE.to_owned())], Some(2 * A_SECOND)));

        call(&table).await;
        assert_eq!((seen(), timers.store.total()), (vec![None], Some(2 * A_SECOND)), "outside of a request");
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancelled_call_stops_the_clock() {
        let table = Table::default();
        let timers = RequestTimers::start();
        let context = RequestContext { request_id: Uuid::nil(), timers: timers.clone(), trace: None };
        timeout(A_SECOND / 4, context.scope(call(&table))).await.unwrap_err();
        sleep(A_SECOND).await;
        assert_eq!(timers.store.total(), Some(A_SECOND / 4));
    }
}
