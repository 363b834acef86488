//! Runs a function on Lambda: sends the response, then finishes the post-response work before the next invocation.
//! Lambda freezes the process only once it polls for that.

pub mod event;

use crate::app::{App, Config, StartError};
use crate::secrets::SecretAccess;
use crate::serve::{ColdStart, PostResponseWork};
use lambda_http::lambda_runtime::layers::TracingLayer;
use lambda_http::lambda_runtime::{self, LambdaEvent, LambdaInvocation, Runtime};
use lambda_http::tower::layer::layer_fn;
use lambda_http::tower::{Service, ServiceExt};
use lambda_http::{Body, Error, Request, Response, service_fn};
use serde_json::Value;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::{Builder, Runtime as Executor};

/// The post-response work of the current invocation. Lambda runs one invocation at a time in a process.
#[derive(Clone, Default)]
struct PendingWork(Arc<Mutex<Option<PostResponseWork>>>);

impl PendingWork {
    fn replace(&self, with: Option<PostResponseWork>) -> Option<PostResponseWork> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), with)
    }
}

/// Starts a function with the secrets that it reads, and answers requests until Lambda ends the process.
pub fn start<F>(
    secrets: SecretAccess,
    handle: impl Fn(Arc<App>, Request) -> F + Send + 'static,
) -> Result<(), StartError>
where
    F: Future<Output = Response<Body>> + Send + 'static,
{
    start_with(Config::from_env(secrets)?, handle)
}

/// Starts a function with a configuration, and answers requests until Lambda ends the process.
pub fn start_with<F>(config: Config, handle: impl Fn(Arc<App>, Request) -> F + Send + 'static) -> Result<(), StartError>
where
    F: Future<Output = Response<Body>> + Send + 'static,
{
    let (executor, app) = load(config)?;
    executor.block_on(pin!(run(app, handle)))
}

/// Starts a function that a schedule or a stream invokes, and runs it at each event until Lambda ends the process. A run
/// does all work that is due, so the content of the event does not matter.
pub fn start_runs<F>(secrets: SecretAccess, run: impl Fn(Arc<App>) -> F) -> Result<(), StartError>
where
    F: Future<Output = Result<Value, StartError>>,
{
    let (executor, app) = load(Config::from_env(secrets)?)?;
    // On the heap, because the future of all invocations would contain it.
    let handler = service_fn(move |_: LambdaEvent<Value>| Box::pin(run(Arc::clone(&app))));
    executor.block_on(pin!(lambda_runtime::run(handler)))
}

/// Loads the parts of a function, and the executor of its futures.
///
/// Callers pin a future where they make it: `block_on` would move one of several kilobytes twice.
fn load(config: Config) -> Result<(Executor, Arc<App>), StartError> {
    crate::log::init();
    let executor = Builder::new_current_thread().enable_all().build()?;
    let app = executor.block_on(pin!(App::start(config)))?;
    Ok((executor, Arc::new(app)))
}

/// Answers requests until Lambda ends the process.
async fn run<F>(app: Arc<App>, handle: impl Fn(Arc<App>, Request) -> F + Send + 'static) -> Result<(), StartError>
where
    F: Future<Output = Response<Body>> + Send + 'static,
{
    let pending = PendingWork::default();
    let slot = pending.clone();
    let mut is_cold = true;
    let handler = service_fn(move |invocation| {
        let slot = slot.clone();
        let mut request = event::request(invocation);
        if std::mem::take(&mut is_cold) {
            request.extensions_mut().insert(ColdStart);
        }
        // On the heap, because the future of all requests would contain it.
        let response = Box::pin(handle(Arc::clone(&app), request));
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
