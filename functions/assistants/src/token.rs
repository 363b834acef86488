//! `createToken`: the token endpoint.

use crate::code::exchange;
use crate::form::Form;
use crate::refresh::refresh;
use crate::refusal::{Failure, Refusal, answered};
use shared::domain::ClientKey;
use shared::envelope::{OAuthReply, Reply};
use shared::error::Error;
use shared::routes::MCP;
use shared::serve::ApiRequest;

/// Answers with tokens. A scope that the client asks for changes nothing: the person has said what it may do.
pub(crate) async fn create(request: &ApiRequest) -> Result<Reply, Error> {
    answered(tokens(request).await)
}

async fn tokens(request: &ApiRequest) -> Result<OAuthReply, Failure> {
    let form = Form::of(request)?;
    let grant = form.require("grant_type")?;
    let client = ClientKey::of(form.require("client_id")?);
    form.check_resource(&request.public_url(MCP)?)?;
    match grant {
        "authorization_code" => exchange(request, &form, &client).await,
        "refresh_token" => refresh(request, &form, &client).await,
        _ => Err(Refusal::unsupported_grant_type().into()),
    }
}
