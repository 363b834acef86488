//! A function on Lambda: answers one request after the other, and does what is left to do when an answer is out and
//! before it asks for the next request. Until it asks, Lambda does not freeze it.

use crate::app::{App, StartError};
use crate::serve::PostResponseWork;
use lambda_http::lambda_runtime::LambdaInvocation;
use lambda_http::lambda_runtime::layers::TracingLayer;
use lambda_http::tower::layer::layer_fn;
use lambda_http::tower::{Service, ServiceExt};
use lambda_http::{Body, Error, IntoResponse, Request, Response, service_fn};
use std::future::ready;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

/// What is left to do for the request that is being answered. There is never more than one at a time.
#[derive(Clone, Default)]
struct PendingWork(Arc<Mutex<Option<PostResponseWork>>>);

impl PendingWork {
    fn replace(&self, with: Option<PostResponseWork>) -> Option<PostResponseWork> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), with)
    }
}

/// A response whose body is text already. By itself the runtime would find out by its type in which of all the
/// character sets that there are it is written, and every function would carry their tables.
struct Answer(Response<Body>);

impl IntoResponse for Answer {
    fn into_response(self) -> Pin<Box<dyn Future<Output = Response<Body>> + Send>> {
        Box::pin(ready(self.0.map(as_text)))
    }
}

/// An empty body goes out as an empty text, as the runtime itself would have it.
fn as_text(body: Body) -> Body {
    match body {
        Body::Empty => Body::Text(String::new()),
        body => body,
    }
}

/// Answers requests until Lambda ends the process.
pub async fn run<F>(app: Arc<App>, answer: impl Fn(Arc<App>, Request) -> F + Send + 'static) -> Result<(), StartError>
where
    F: Future<Output = Response<Body>> + Send + 'static,
{
    let left = PendingWork::default();
    let kept = left.clone();
    let handler = service_fn(move |request| {
        let (kept, answering) = (kept.clone(), answer(Arc::clone(&app), request));
        async move {
            let mut response = answering.await;
            // The runtime turns the response into JSON, and this would not come through.
            kept.replace(PostResponseWork::take_from(&mut response));
            Ok::<_, Error>(Answer(response))
        }
    });
    let post_response = layer_fn(move |inner| run_after(inner, left.clone()));
    lambda_http::runtime(handler).layer(post_response).layer(TracingLayer::new()).run().await
}

/// Adds to a service that has sent the answer when it is done.
fn run_after<S>(sending: S, left: PendingWork) -> impl Service<LambdaInvocation, Response = (), Error = Error>
where
    S: Service<LambdaInvocation, Response = (), Error = Error>,
{
    sending.then(|sent| async move {
        if let Some(rest) = left.replace(None) {
            rest.run().await;
        }
        sent
    })
}
