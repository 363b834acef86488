//! Client ID metadata documents: a client's address is its `client_id`, and the document there says who it is
//! (<https://datatracker.ietf.org/doc/html/draft-ietf-oauth-client-id-metadata-document-00>).

use super::name::shown;
use super::registration::usable;
use super::{Client, ClientSource};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::fmt;
use url::Url;

/// Maximum length of a `client_id` that is an address. It must fit into a cookie beside the rest of a request.
pub(super) const MAX_ADDRESS_BYTES: usize = 1_000;

/// The method of a client without a secret at the token endpoint.
const NO_SECRET: &str = "none";

/// Why a document does not say who its client is. The text follows "the document".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentFault {
    /// No JSON object with a name and redirect URIs, or one with a member twice.
    Unreadable,
    OtherClient,
    Secret,
    Authentication,
    Name,
    RedirectUris,
}

impl fmt::Display for DocumentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DocumentFault::Unreadable => "is not a JSON object with client_id, client_name and redirect_uris",
            DocumentFault::OtherClient => "names another client_id than its own address",
            DocumentFault::Secret => "contains a secret, which anyone could read",
            DocumentFault::Authentication => "does not list the method \"none\" for the token endpoint",
            DocumentFault::Name => "has no client_name that can be shown",
            DocumentFault::RedirectUris => "has no redirect URI that can be used",
        })
    }
}

/// What is read of a document. A client may list grants that this service does not know.
#[derive(Deserialize)]
struct Document {
    client_id: String,
    client_name: String,
    redirect_uris: Vec<String>,
    token_endpoint_auth_method: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    client_secret: Option<IgnoredAny>,
    client_secret_expires_at: Option<IgnoredAny>,
}

/// The host of a `client_id` that is the address of a document: https with a path, as a browser would send it, without
/// user, query and fragment. `None` for any other text.
pub(super) fn host(client_id: &str) -> Option<String> {
    if client_id.len() > MAX_ADDRESS_BYTES || !client_id.starts_with("https://") {
        return None;
    }
    let url = Url::parse(client_id).ok()?;
    let has_user = !url.username().is_empty() || url.password().is_some();
    // The parser resolves the segments `.` and `..`, also in their escaped forms, so such a text is another one.
    let is_address =
        url.as_str() == client_id && url.path() != "/" && url.query().is_none() && url.fragment().is_none();
    (is_address && !has_user).then(|| url.host_str().map(str::to_owned))?
}

/// Reads the document at the address of a client.
pub(super) fn read(client_id: &str, host: String, document: &[u8]) -> Result<Client, DocumentFault> {
    let document: Document = serde_json::from_slice(document).map_err(|_| DocumentFault::Unreadable)?;
    if document.client_id != client_id {
        return Err(DocumentFault::OtherClient);
    }
    if document.client_secret.is_some() || document.client_secret_expires_at.is_some() {
        return Err(DocumentFault::Secret);
    }
    // ChatGPT prefers to sign its requests, and can do without.
    let mut methods = document.token_endpoint_auth_methods_supported.unwrap_or_default();
    methods.extend(document.token_endpoint_auth_method);
    // One that says nothing takes what the server's metadata offers, which is nothing else.
    if !methods.is_empty() && !methods.iter().any(|method| method == NO_SECRET) {
        return Err(DocumentFault::Authentication);
    }
    let name = shown(&document.client_name).ok_or(DocumentFault::Name)?;
    let redirect_uris = usable(document.redirect_uris);
    if redirect_uris.is_empty() {
        return Err(DocumentFault::RedirectUris);
    }
    Ok(Client { id: client_id.to_owned(), name, redirect_uris, source: ClientSource::Document { host } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const ID: &str = "https://app.example/oauth/client.json";

    fn document() -> Value {
        json!({
            "client_id": ID,
            "client_name": "App",
            "redirect_uris": ["https://app.example/callback"],
            "token_endpoint_auth_method": "none",
        })
    }

    fn with(member: &str, value: Value) -> Value {
        let mut document = document();
        document[member] = value;
        document
    }

    fn read_json(document: &Value) -> Result<Client, DocumentFault> {
        read(ID, "app.example".to_owned(), document.to_string().as_bytes())
    }

    #[test]
    fn an_address_is_https_with_a_path_and_nothing_else() {
        for id in
            [ID, "https://a.example/x", "https://xn--80ak6aa92e.com/x", "https://a.example:8443/x", "https://8.8.8.8/x"]
        {
            assert!(host(id).is_some(), "{id}");
        }
        assert_eq!(host("https://a.example:8443/x").as_deref(), Some("a.example"));
        for id in [
            "",
            "client",
            "http://a.example/x",
            "https://a.example",
            "https://a.example/",
            "https://a.example/x?y",
            "https://a.example/x?",
            "https://a.example/x#y",
            "https://a.example/x#",
            "https://u@a.example/x",
            "https://u:p@a.example/x",
            "https://@a.example/x",
            "https://a.example/./x",
            "https://a.example/y/../x",
            "https://a.example/y/%2e%2E/x",
            "https://a.example/y/..",
            "https://A.example/x",
            "HTTPS://a.example/x",
            "https://a.example:443/x",
            "https:///a.example/x",
            "https:\\\\a.example\\x",
            "https://a.example/x ",
            "https://a.example/\nx",
            "https://\u{430}pp.example/x",
            "https://2852039166/x",
            "javascript:alert(1)",
        ] {
            assert_eq!(host(id), None, "{id}");
        }
        assert_eq!(host(&format!("https://a.example/{}", "x".repeat(MAX_ADDRESS_BYTES))), None);
    }

    #[test]
    fn a_document_says_who_its_client_is() {
        let client = read_json(&document()).unwrap();
        assert_eq!((client.id.as_str(), client.name.as_str()), (ID, "App"));
        assert_eq!(client.redirect_uris, ["https://app.example/callback"]);
        assert_eq!(client.source, ClientSource::Document { host: "app.example".to_owned() });
        let uris = json!(["intent://a", "https://app.example/callback", "http://app.example/"]);
        assert_eq!(read_json(&with("redirect_uris", uris)).unwrap().redirect_uris, ["https://app.example/callback"]);
        let of_chatgpt = json!(["none", "private_key_jwt"]);
        let mut signed = with("token_endpoint_auth_methods_supported", of_chatgpt);
        signed["token_endpoint_auth_method"] = json!("private_key_jwt");
        assert!(read_json(&signed).is_ok());
        assert!(read_json(&with("token_endpoint_auth_method", Value::Null)).is_ok(), "it takes what is offered");
    }

    #[test]
    fn a_document_that_does_not_say_it_is_refused() {
        for (document, fault) in [
            (with("client_id", json!("https://app.example/oauth/Client.json")), DocumentFault::OtherClient),
            (with("client_id", json!("https://app.example/oauth/client.json/")), DocumentFault::OtherClient),
            (with("client_id", json!("https://claude.ai/oauth/mcp-oauth-client-metadata")), DocumentFault::OtherClient),
            (with("client_secret", json!("hunter2")), DocumentFault::Secret),
            (with("client_secret_expires_at", json!(0)), DocumentFault::Secret),
            (with("token_endpoint_auth_method", json!("client_secret_post")), DocumentFault::Authentication),
            (with("token_endpoint_auth_method", json!("private_key_jwt")), DocumentFault::Authentication),
            (with("client_name", json!("\u{202e}\u{0}")), DocumentFault::Name),
            (with("client_name", json!("")), DocumentFault::Name),
            (with("client_name", Value::Null), DocumentFault::Unreadable),
            (with("redirect_uris", json!([])), DocumentFault::RedirectUris),
            (with("redirect_uris", json!(["javascript:alert(1)"])), DocumentFault::RedirectUris),
            (with("redirect_uris", json!("https://app.example/")), DocumentFault::Unreadable),
            (json!([]), DocumentFault::Unreadable),
            (json!("<html>"), DocumentFault::Unreadable),
        ] {
            assert_eq!(read_json(&document), Err(fault), "{document}");
        }
        let twice = document().to_string().replacen('{', r#"{"client_name":"Other","#, 1);
        for text in [twice.as_str(), "", "<html></html>", "{}"] {
            assert_eq!(read(ID, String::new(), text.as_bytes()), Err(DocumentFault::Unreadable), "{text}");
        }
    }

    #[test]
    fn a_name_of_a_document_is_text_and_short() {
        for (name, shown) in [
            (json!("<script>alert(1)</script>"), "<script>alert(1)</script>".to_owned()),
            (json!("Ap\u{202e}p\r\nX"), "App X".to_owned()),
            (json!("a".repeat(10_000)), format!("{}…", "a".repeat(59))),
        ] {
            assert_eq!(read_json(&with("client_name", name)).unwrap().name, shown);
        }
    }
}
