//! The baseline of the functions: it answers with the request body.

use lambda_http::{Error, Request, Response, run, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    run(service_fn(|request: Request| async { Ok::<_, Error>(Response::new(request.into_body())) })).await
}
