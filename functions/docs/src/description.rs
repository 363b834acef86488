//! `getDescription` and `getDocs`: the OpenAPI document, as JSON and as the pages of the reference (D39, D76 and
//! D80 in docs/decisions.md).

use shared::envelope::query::{self, reject_unknown_params};
use shared::envelope::{DocsPage, Reply, Shape};
use shared::error::Error;
use shared::serve::ApiRequest;

/// Returns the OpenAPI document: of one shape, or of both.
pub(crate) fn openapi(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &["shape"])?;
    let Some(name) = query::value(&request.query, "shape") else { return Ok(Reply::Description(None)) };
    let unknown = || Error::field("shape", "must be flat or enveloped; without it, the document has both shapes");
    Shape::parse(name).map(|shape| Reply::Description(Some(shape))).ok_or_else(unknown)
}

/// Returns a page of the reference. Its samples name the host that serves it.
pub(crate) fn docs(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &[])?;
    let base_url = request.public_url("/v1").ok();
    DocsPage::find(&request.parameter, base_url).map(Reply::Docs).ok_or_else(|| Error::not_found("page"))
}
