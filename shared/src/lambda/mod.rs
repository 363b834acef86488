//! Runs a function on Lambda: sends the response, then finishes the post-response work before the next invocation.
//! Lambda freezes the process only once it polls for that.

pub mod event;

use crate::app::{App, StartError};
use crate::secrets::SecretAccess;
use crate::serve::PostResponseWork;
use lambda_http::lambda_runtime::layers::TracingLayer;
use lambda_http::lambda_runtime::{LambdaInvocation, Runtime};
use lambda_http::tower::layer::layer_fn;
use lambda_http::tower::{Service, ServiceExt};
use lambda_http::{Body, Error, Request, Response, service_fn};
use std::sync::{Arc, Mutex, PoisonError};

/// The post-response work of the current invocation. Lambda runs one invocation at a time in a process.
#[derive(Clone, Default)]
struct PendingWork(Arc<Mutex<Option<PostResponseWork>>>);

impl PendingWork {
    fn replace(&self, with: Option<PostResponseWork>) -> Option<PostResponseWork> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), with)
    }
}

/// Starts a function with the secrets that it reads, and answers requests until Lambda ends the process.
#[tokio::main(flavor = "current_thread")]
pub async fn start<F>(
    secrets: SecretAccess,
    handle: impl Fn(Arc<App>, Request) -> F + Send + 'static,
) -> Result<(), StartError>
where
    F: Future<Output = Response<Body>> + Send + 'static,
{
    crate::log::init();
    // On the heap, because the future of this function moves twice before it begins.
    let app = Box::pin(App::from_env(secrets)).await?;
    Box::pin(run(Arc::new(app), handle)).await
}

/// Answers requests until Lambda ends the process.
pub async fn run<F>(app: Arc<App>, handle: impl Fn(Arc<App>, Request) -> F + Send + 'static) -> Result<(), StartError>
where
    F: Future<Output = Response<Body>> + Send + 'static,
{
    let pending = PendingWork::default();
    let slot = pending.clone();
    let handler = service_fn(move |invocation| {
        let slot = slot.clone();
        // The future of the whole function would contain that of the handler.
        let response = Box::pin(handle(Arc::clone(&app), event::request(invocation)));
        async move {
            let mut response = response.await;
            slot.replace(PostResponseWork::take_from(&mut response));
            Ok::<_, Error>(event::response(response))
        }
    });
    let post_response = layer_fn(move |inner| run_pending_after(inner, pending.clone()));
    Runtime::new(handler).layer(post_response).layer(TracingLayer::new()).run().await
}

/// Runs the pending work once the inner service has sent the response.
fn run_pending_after<S>(inner: S, pending: PendingWork) -> impl Service<LambdaInvocation, Response = (), Error = Error>
where
    S: Service<LambdaInvocation, Response = (), Error = Error>,
{
    inner.then(|sent| async move {
        if let Some(work) = pending.replace(None) {
            work.run().await;
        }
        sent
    })
}
