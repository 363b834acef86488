//! `GET /v1/openapi.json` and `GET /v1/docs`: what the interface is, for machines and for people (D39 in the README).

use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::ApiRequest;

/// The OpenAPI document.
pub(crate) fn openapi(call: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&call.query, &[])?;
    Ok(Reply::Description)
}

/// The page that is made of it.
pub(crate) fn docs(call: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&call.query, &[])?;
    Ok(Reply::Docs)
}
