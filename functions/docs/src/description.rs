//! `getDescription` and `getDocs`: the OpenAPI document, as JSON and as the pages of the reference (D39 and D76 in
//! docs/decisions.md).

use shared::envelope::query::reject_unknown_params;
use shared::envelope::{DocsPage, Reply};
use shared::error::Error;
use shared::serve::ApiRequest;

/// Returns the OpenAPI document.
pub(crate) fn openapi(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &[])?;
    Ok(Reply::Description)
}

/// Returns a page of the reference. Its samples name the host that serves it.
pub(crate) fn docs(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &[])?;
    let base_url = request.public_url("/v1").ok();
    DocsPage::find(&request.parameter, base_url).map(Reply::Docs).ok_or_else(|| Error::not_found("page"))
}
