//! Registrations of clients (RFC 7591). Nothing is stored: the `client_id` is the registration itself (appendix A.5.2 there), so
//! a flood of them costs nothing, and a forged one is just another registration.

use super::name::shown;
use super::redirect::RedirectTarget;
use crate::domain::REGISTRATION_PREFIX;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

/// Maximum length of a `client_id` that is a registration.
const MAX_CLIENT_ID_BYTES: usize = 1_000;
/// Maximum number of redirect URIs of a registration.
const MAX_REDIRECT_URIS: usize = 10;
/// Maximum length of a request to register. It may have fields that are ignored, such as the address of a logo.
pub const MAX_REQUEST_BYTES: usize = 16 * 1_024;
/// What a client without a name is called.
const NAMELESS: &str = "Unnamed app";

/// A client that has registered itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    pub client_id: String,
    /// As pages show it.
    pub name: String,
    /// Those that can be used.
    pub redirect_uris: Vec<String>,
}

/// Why a registration is refused. The text says it to a developer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegistrationRefusal {
    RedirectUri(&'static str),
    Metadata(&'static str),
}

impl RegistrationRefusal {
    /// The error code (RFC 7591, section 3.2.2).
    pub fn code(&self) -> &'static str {
        match self {
            RegistrationRefusal::RedirectUri(_) => "invalid_redirect_uri",
            RegistrationRefusal::Metadata(_) => "invalid_client_metadata",
        }
    }

    /// What is wrong, and what is allowed.
    pub fn description(&self) -> &'static str {
        match self {
            RegistrationRefusal::RedirectUri(text) | RegistrationRefusal::Metadata(text) => text,
        }
    }
}

/// What is read of a request. A client asks for more, such as a secret: it gets none.
#[derive(Deserialize)]
struct Request {
    client_name: Option<String>,
    redirect_uris: Option<Vec<String>>,
}

/// What a `client_id` holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    #[serde(rename = "n")]
    name: String,
    #[serde(rename = "r")]
    redirect_uris: Vec<String>,
}

/// Registers a client. Of several redirect URIs those that cannot be used are left out: Cursor sends three at once, and a
/// refusal of one would refuse all.
pub fn register(body: &[u8]) -> Result<Registered, RegistrationRefusal> {
    let malformed = RegistrationRefusal::Metadata(
        "The body must be a JSON object of at most 16 KB, in which redirect_uris is a list of texts and client_name a text.",
    );
    if body.len() > MAX_REQUEST_BYTES {
        return Err(malformed);
    }
    let request: Request = serde_json::from_slice(body).map_err(|_| malformed)?;
    let asked = request.redirect_uris.unwrap_or_default();
    if asked.is_empty() || asked.len() > MAX_REDIRECT_URIS {
        return Err(RegistrationRefusal::RedirectUri("redirect_uris must have 1 to 10 URIs."));
    }
    let redirect_uris = usable(asked);
    if redirect_uris.is_empty() {
        return Err(RegistrationRefusal::RedirectUri(
            "No redirect URI can be used. One must have at most 512 bytes, no user name and no fragment, and be https, http at \
             127.0.0.1, [::1] or localhost, or begin with cursor://, vscode://, vscode-insiders:// or windsurf://.",
        ));
    }
    let name = request.client_name.as_deref().and_then(shown).unwrap_or_else(|| NAMELESS.to_owned());
    let client_id = client_id(&Content { name: name.clone(), redirect_uris: redirect_uris.clone() });
    if client_id.len() > MAX_CLIENT_ID_BYTES {
        return Err(RegistrationRefusal::Metadata(
            "client_name and redirect_uris are too long together: register fewer or shorter redirect URIs.",
        ));
    }
    Ok(Registered { client_id, name, redirect_uris })
}

/// Reads a `client_id` that is a registration; `None` for a text that [`register`] would not have answered.
pub(super) fn read(client_id: &str) -> Option<Registered> {
    if client_id.len() > MAX_CLIENT_ID_BYTES {
        return None;
    }
    let json = URL_SAFE_NO_PAD.decode(client_id.strip_prefix(REGISTRATION_PREFIX)?).ok()?;
    let content: Content = serde_json::from_slice(&json).ok()?;
    let Content { name, redirect_uris } = &content;
    let is_one = !redirect_uris.is_empty() && redirect_uris.len() <= MAX_REDIRECT_URIS;
    let is_usable = usable(redirect_uris.clone()) == *redirect_uris && shown(name).as_ref() == Some(name);
    // One registration has one spelling, because its digest stands for it in the table.
    let is_canonical = self::client_id(&content) == client_id;
    let Content { name, redirect_uris } = content;
    (is_one && is_usable && is_canonical).then(|| Registered { client_id: client_id.to_owned(), name, redirect_uris })
}

fn client_id(content: &Content) -> String {
    // Two texts and lists of texts always have a JSON form.
    let json = serde_json::to_vec(content).unwrap_or_default();
    format!("{REGISTRATION_PREFIX}{}", URL_SAFE_NO_PAD.encode(json))
}

/// The URIs that can be used, each once.
pub(super) fn usable(uris: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::with_capacity(uris.len());
    for uri in uris {
        if RedirectTarget::of(&uri).is_some() && !kept.contains(&uri) {
            kept.push(uri);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn asked(body: Value) -> Result<Registered, RegistrationRefusal> {
        register(body.to_string().as_bytes())
    }

    fn refusal(body: Value) -> &'static str {
        asked(body).unwrap_err().code()
    }

    fn forged(json: &str) -> String {
        format!("dcr.{}", URL_SAFE_NO_PAD.encode(json))
    }

    /// As Cursor registers: three redirect URIs at once.
    fn cursor() -> Value {
        json!({
            "client_name": "Cursor",
            "redirect_uris": [
                "cursor://anysphere.cursor-mcp/oauth/callback",
                "https://www.cursor.com/agents/mcp/oauth/callback",
                "http://localhost:8787/callback",
            ],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "client_secret_post",
        })
    }

    #[test]
    fn a_registration_is_its_client_id() {
        let registered = asked(cursor()).unwrap();
        assert_eq!((registered.name.as_str(), registered.redirect_uris.len()), ("Cursor", 3));
        assert!(registered.client_id.len() <= MAX_CLIENT_ID_BYTES, "{}", registered.client_id);
        assert_eq!(read(&registered.client_id), Some(registered.clone()));
        assert_eq!(asked(cursor()), Ok(registered), "the same registration has the same id");
        let nameless = asked(json!({"redirect_uris": ["http://localhost/cb"]})).unwrap();
        assert_eq!(nameless.name, "Unnamed app");
    }

    #[test]
    fn redirect_uris_that_cannot_be_used_are_left_out() {
        let uris =
            ["javascript:alert(1)", "https://a.example/cb", "myapp://cb", "https://a.example/cb", "http://b.example/"];
        let registered = asked(json!({"client_name": "A", "redirect_uris": uris})).unwrap();
        assert_eq!(registered.redirect_uris, ["https://a.example/cb"]);
        for uris in [json!([]), json!(["intent://a"]), json!(vec!["https://a.example/"; 11]), Value::Null] {
            assert_eq!(refusal(json!({"redirect_uris": uris})), "invalid_redirect_uri", "{uris}");
        }
        assert_eq!(refusal(json!({})), "invalid_redirect_uri");
    }

    #[test]
    fn what_is_no_registration_is_refused() {
        let twice = br#"{"redirect_uris":["https://a.example/"],"redirect_uris":["https://evil.example/"]}"#;
        for body in [&b""[..], b"[]", b"null", b"redirect_uris=https://a.example/", b"{", b"\xff", twice] {
            assert_eq!(register(body).unwrap_err().code(), "invalid_client_metadata", "{body:?}");
        }
        let long: Vec<_> = (0..3).map(|n| format!("https://a.example/{n}{}", "a".repeat(400))).collect();
        for body in [
            json!({"redirect_uris": "https://a.example/"}),
            json!({"redirect_uris": [1]}),
            json!({"redirect_uris": ["https://a.example/"], "client_name": ["A"]}),
            json!({"redirect_uris": long}),
            json!({"redirect_uris": ["https://a.example/"], "logo_uri": "a".repeat(MAX_REQUEST_BYTES)}),
        ] {
            assert_eq!(refusal(body.clone()), "invalid_client_metadata", "{body}");
        }
    }

    #[test]
    fn a_hostile_name_becomes_text_that_the_client_id_keeps() {
        for (name, shown) in [
            ("<script>alert(1)</script>".to_owned(), "<script>alert(1)</script>".to_owned()),
            ("Cla\u{202e}edu\u{0}".to_owned(), "Claedu".to_owned()),
            ("\u{202e}\u{200b}".to_owned(), NAMELESS.to_owned()),
            ("\u{7}".repeat(2_000), NAMELESS.to_owned()),
            ("é".repeat(5_000), format!("{}…", "é".repeat(59))),
            ("\"\\\u{1f600}".repeat(60), format!("{}\"\\…", "\"\\\u{1f600}".repeat(19))),
        ] {
            let registered = asked(json!({"client_name": name, "redirect_uris": ["https://a.example/"]})).unwrap();
            assert_eq!(registered.name, shown);
            assert_eq!(read(&registered.client_id), Some(registered));
        }
    }

    #[test]
    fn a_forged_client_id_is_at_most_another_registration() {
        let own = asked(json!({"client_name": "A", "redirect_uris": ["https://a.example/cb"]})).unwrap();
        let content = r#"{"n":"A","r":["https://a.example/cb"]}"#;
        assert_eq!(read(&forged(content)), Some(own.clone()));
        let many = [r#""https://a.example/""#; 11].join(",");
        for content in [
            // The same registration in another spelling would have another digest.
            r#"{"r":["https://a.example/cb"],"n":"A"}"#.to_owned(),
            r#"{"n":"A", "r":["https://a.example/cb"]}"#.to_owned(),
            r#"{"n":"\u0041","r":["https://a.example/cb"]}"#.to_owned(),
            r#"{"n":"A","r":["https://a.example/cb"],"x":1}"#.to_owned(),
            r#"{"n":"A","r":["https://a.example/cb","https://a.example/cb"]}"#.to_owned(),
            r#"{"n":"A","r":[]}"#.to_owned(),
            r#"{"n":"A","r":["javascript:alert(1)"]}"#.to_owned(),
            r#"{"n":"A","r":["https://a.example/cb","http://b.example/"]}"#.to_owned(),
            r#"{"n":"","r":["https://a.example/cb"]}"#.to_owned(),
            r#"{"n":"A\u202e","r":["https://a.example/cb"]}"#.to_owned(),
            format!(r#"{{"n":"{}","r":["https://a.example/cb"]}}"#, "a".repeat(61)),
            format!(r#"{{"n":"A","r":[{many}]}}"#),
            "null".to_owned(),
            String::new(),
        ] {
            assert_eq!(read(&forged(&content)), None, "{content}");
        }
        let id = &own.client_id;
        for other in
            [format!("{id}="), format!("{id} "), id.replace("dcr.", "DCR."), id.replace("dcr.", "dcr.a"), "dcr.".into()]
        {
            assert_eq!(read(&other), None, "{other}");
        }
        assert_eq!(read(&format!("dcr.{}", "A".repeat(MAX_CLIENT_ID_BYTES))), None);
    }
}
