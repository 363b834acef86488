//! `GET /v1/openapi.json` and `GET /v1/docs`: what the interface is, for machines and for people (D39 in docs/decisions.md).

use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::ApiRequest;

/// The OpenAPI document.
pub(crate) fn openapi(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &[])?;
    Ok(Reply::Description)
}

/// The page that is made of it.
pub(crate) fn docs(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &[])?;
    Ok(Reply::Docs)
}
