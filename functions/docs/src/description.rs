//! `getDescription` and `getDocs`: the OpenAPI document, as JSON and as a page (D39 in docs/decisions.md).

use shared::envelope::Reply;
use shared::envelope::query::reject_unknown_params;
use shared::error::Error;
use shared::serve::ApiRequest;

/// Returns the OpenAPI document.
pub(crate) fn openapi(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &[])?;
    Ok(Reply::Description)
}

/// Returns the OpenAPI document as an HTML page.
pub(crate) fn docs(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &[])?;
    Ok(Reply::Docs)
}
