//! The configuration of MCP clients, ready to be copied.

use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use shared::error::Error;
use std::collections::BTreeMap;

/// The name under which a client knows this service.
const SERVER: &str = "unified-ads";
/// What stands for the key while none is new.
const PLACEHOLDER: &str = "YOUR_KEY";

/// A client with its configuration. The text may have a key in it.
pub(super) struct Client {
    /// The id of the text on the page.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    /// What to do with the text.
    pub(super) place: &'static str,
    pub(super) text: SecretString,
}

/// `.cursor/mcp.json`
#[derive(Serialize)]
struct CursorFile<'a> {
    #[serde(rename = "mcpServers")]
    servers: BTreeMap<&'static str, Server<'a>>,
}

/// `.vscode/mcp.json`
#[derive(Serialize)]
struct VsCodeFile<'a> {
    servers: BTreeMap<&'static str, Server<'a>>,
}

#[derive(Serialize)]
struct Server<'a> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    url: &'a str,
    headers: Headers<'a>,
}

#[derive(Serialize)]
struct Headers<'a> {
    #[serde(rename = "Authorization")]
    authorization: &'a str,
}

/// The clients, configured for the MCP server at an address; without a key, with a placeholder.
pub(super) fn clients(address: &str, key: Option<&SecretString>) -> Result<Vec<Client>, Error> {
    let bearer = format!("Bearer {}", key.map_or(PLACEHOLDER, |key| key.expose_secret()));
    let servers = |kind| {
        let headers = Headers { authorization: &bearer };
        BTreeMap::from([(SERVER, Server { kind, url: address, headers })])
    };
    let (url, header) = (word(address), format!("--header \"Authorization: {bearer}\""));
    let inspector = "npx @modelcontextprotocol/inspector --cli";
    Ok(vec![
        Client {
            id: "claude-code",
            name: "Claude Code",
            place: "Run this line in the folder of your project.",
            text: format!("claude mcp add --transport http {SERVER} {url} {header}").into(),
        },
        Client {
            id: "cursor",
            name: "Cursor",
            place: "Put this into .cursor/mcp.json in the folder of your project.",
            text: json(&CursorFile { servers: servers(None) })?,
        },
        Client {
            id: "vs-code",
            name: "VS Code",
            place: "Put this into .vscode/mcp.json in the folder of your project.",
            text: json(&VsCodeFile { servers: servers(Some("http")) })?,
        },
        Client {
            id: "inspector",
            name: "MCP Inspector",
            place: "Run this line to see the tools without an agent.",
            text: format!("{inspector} {url} --transport http --method tools/list {header}").into(),
        },
    ])
}

fn json(file: &impl Serialize) -> Result<SecretString, Error> {
    serde_json::to_string_pretty(file).map(SecretString::from).map_err(Error::internal)
}

/// An address as one word of a shell, in quotes if it needs them.
fn word(address: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b":/.-_".contains(&byte);
    if address.bytes().all(is_plain) {
        return address.to_owned();
    }
    format!("'{}'", address.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(address: &str, key: Option<&str>, id: &str) -> String {
        let key = key.map(SecretString::from);
        let all = clients(address, key.as_ref()).unwrap();
        all.iter().find(|client| client.id == id).unwrap().text.expose_secret().to_owned()
    }

    #[test]
    fn each_client_has_its_form() {
        let address = "https://ads.example.com/v1/mcp";
        assert_eq!(
            text(address, Some("uac_live_1"), "claude-code"),
            "claude mcp add --transport http unified-ads https://ads.example.com/v1/mcp \
             --header \"Authorization: Bearer uac_live_1\""
        );
        assert_eq!(
            text(address, None, "inspector"),
            "npx @modelcontextprotocol/inspector --cli https://ads.example.com/v1/mcp --transport http \
             --method tools/list --header \"Authorization: Bearer YOUR_KEY\""
        );
        let headers = r#"{"Authorization":"Bearer YOUR_KEY"}"#;
        for (id, expected) in [
            ("cursor", format!(r#"{{"mcpServers":{{"unified-ads":{{"url":"{address}","headers":{headers}}}}}}}"#)),
            (
                "vs-code",
                format!(r#"{{"servers":{{"unified-ads":{{"type":"http","url":"{address}","headers":{headers}}}}}}}"#),
            ),
        ] {
            let shown: serde_json::Value = serde_json::from_str(&text(address, None, id)).unwrap();
            assert_eq!(shown, serde_json::from_str::<serde_json::Value>(&expected).unwrap(), "{id}");
        }
    }

    #[test]
    fn an_address_is_one_word_of_a_shell() {
        let local = text("http://[::1]:8080/v1/mcp", None, "claude-code");
        assert!(local.contains(" 'http://[::1]:8080/v1/mcp' "), "{local}");
        assert_eq!(word("https://a'$(b)/"), r"'https://a'\''$(b)/'");
        let cursor = text("https://a\"b/", None, "cursor");
        assert!(serde_json::from_str::<serde_json::Value>(&cursor).is_ok(), "{cursor}");
    }
}
