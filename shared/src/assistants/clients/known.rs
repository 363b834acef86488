//! The clients of widely used hosts: copies of their documents, for a process that those hosts do not answer.

use super::name::bears;
use super::redirect::RedirectTarget;
use super::{Client, ClientSource, document};
use serde_json::Value;
use std::sync::LazyLock;
use url::Url;

/// The copies. Each is the document at its `client_id`, with everything that is published there; the site itself was not
/// called from here. Claude: <https://claude.ai/oauth/mcp-oauth-client-metadata>, read in October 2026. Claude Code, ChatGPT,
/// Visual Studio Code and Zed: <https://claude.ai/oauth/claude-code-client-metadata>, <https://chatgpt.com/oauth/client.json>,
/// <https://vscode.dev/oauth/client-metadata.json> and <https://zed.dev/oauth/client-metadata.json>, read on 21 September 2026;
/// several projects publish the same texts. Codex: <https://chatgpt.com/oauth/codex/client.json>, as one project has it, with
/// the redirect URIs that others name. opencode: the code that serves <https://opencode.ai/oauth/opencode/client.json>, in
/// <https://github.com/anomalyco/opencode/pull/47737>.
const DOCUMENTS: &str = include_str!("known_clients.json");

static CLIENTS: LazyLock<Vec<KnownClient>> = LazyLock::new(|| {
    let documents: Vec<Value> = serde_json::from_str(DOCUMENTS).unwrap_or_default();
    documents.iter().filter_map(KnownClient::read).collect()
});

static ORIGINS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut origins: Vec<String> = Vec::new();
    for origin in
        CLIENTS.iter().filter_map(|known| Some(Url::parse(&known.client.id).ok()?.origin().ascii_serialization()))
    {
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    origins
});

struct KnownClient {
    client: Client,
    host: String,
}

impl KnownClient {
    fn read(document: &Value) -> Option<KnownClient> {
        let id = document.get("client_id")?.as_str()?;
        let host = document::host(id)?;
        let client = document::read(id, host.clone(), document.to_string().as_bytes()).ok()?;
        Some(KnownClient { client: Client { source: ClientSource::Known { host: host.clone() }, ..client }, host })
    }

    /// Whether a client is this one, or another of the same host.
    fn is_home_of(&self, client: &Client, redirect_uri: &str) -> bool {
        match &client.source {
            ClientSource::Document { host } | ClientSource::Known { host } => *host == self.host,
            ClientSource::Registered => self.receives(redirect_uri),
        }
    }

    /// Whether an answer to a redirect URI reaches the host, or a program on the person's computer if the client is one.
    fn receives(&self, redirect_uri: &str) -> bool {
        match RedirectTarget::of(redirect_uri) {
            Some(RedirectTarget::Site { host }) => {
                host == self.host || host.strip_suffix(self.host.as_str()).is_some_and(|name| name.ends_with('.'))
            }
            Some(target @ RedirectTarget::Computer) => {
                self.client.redirect_uris.iter().any(|uri| RedirectTarget::of(uri).as_ref() == Some(&target))
            }
            Some(RedirectTarget::Scheme(_)) | None => false,
        }
    }
}

/// The copy of a client's document.
pub(super) fn copy(client_id: &str) -> Option<Client> {
    CLIENTS.iter().find(|known| known.client.id == client_id).map(|known| known.client.clone())
}

/// The host of the known client whose name a client bears, if the client is not of that host.
pub(super) fn imitated(client: &Client, redirect_uri: &str) -> Option<&'static str> {
    let named = || CLIENTS.iter().filter(|known| bears(&client.name, &known.client.name));
    if named().any(|known| known.is_home_of(client, redirect_uri)) {
        return None;
    }
    named().next().map(|known| known.host.as_str())
}

/// The origins of the known clients, such as `https://claude.ai`: a page there may call the endpoint of agents.
pub fn known_origins() -> &'static [String] {
    &ORIGINS
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn registered(name: &str) -> Client {
        let redirect_uris = vec!["https://evil.example/cb".to_owned()];
        Client { id: "dcr.x".to_owned(), name: name.to_owned(), redirect_uris, source: ClientSource::Registered }
    }

    #[test]
    fn every_copy_is_a_document_of_its_own_address() {
        let documents: Vec<Value> = serde_json::from_str(DOCUMENTS).unwrap();
        assert_eq!((documents.len(), CLIENTS.len()), (7, 7));
        for (document, known) in documents.iter().zip(CLIENTS.iter()) {
            assert_eq!(
                document["redirect_uris"].as_array().unwrap().len(),
                known.client.redirect_uris.len(),
                "{document}"
            );
            assert_eq!(document["client_name"], known.client.name.as_str());
            assert!(document["client_id"].as_str().unwrap().starts_with(&format!("https://{}/", known.host)));
        }
        let ids: BTreeSet<&str> = CLIENTS.iter().map(|known| known.client.id.as_str()).collect();
        assert_eq!(ids.len(), 7);
        let origins = [
            "https://claude.ai",
            "https://chatgpt.com",
            "https://vscode.dev",
            "https://zed.dev",
            "https://opencode.ai",
        ];
        assert_eq!(known_origins(), origins);
    }

    #[test]
    fn a_known_client_may_ask_for_its_own_redirect_uris() {
        for (id, uri) in [
            ("https://claude.ai/oauth/mcp-oauth-client-metadata", "https://claude.ai/api/mcp/auth_callback"),
            ("https://claude.ai/oauth/claude-code-client-metadata", "http://localhost:53682/callback"),
            ("https://claude.ai/oauth/claude-code-client-metadata", "http://127.0.0.1:53682/callback"),
            ("https://chatgpt.com/oauth/client.json", "https://chatgpt.com/connector_platform_oauth_redirect"),
            ("https://chatgpt.com/oauth/codex/client.json", "http://127.0.0.1:37819/callback"),
            ("https://vscode.dev/oauth/client-metadata.json", "http://127.0.0.1:50123/"),
            ("https://vscode.dev/oauth/client-metadata.json", "https://vscode.dev/redirect"),
            ("https://zed.dev/oauth/client-metadata.json", "http://127.0.0.1:49152/callback"),
            ("https://opencode.ai/oauth/opencode/client.json", "http://127.0.0.1:19876/callback"),
        ] {
            let client = copy(id).unwrap();
            assert!(client.allows(uri), "{id} {uri}");
            assert_eq!(client.imitates(uri), None, "{id}");
            assert!(!client.allows("https://evil.example/cb"), "{id}");
        }
        assert!(copy("https://claude.ai/oauth/Mcp-oauth-client-metadata").is_none());
        let zed = copy("https://zed.dev/oauth/client-metadata.json").unwrap();
        assert!(!zed.allows("http://localhost:49152/callback"), "it lists the address alone");
    }

    #[test]
    fn a_known_name_elsewhere_is_an_imitation() {
        for (name, uri, host) in [
            ("Claude", "https://evil.example/cb", "claude.ai"),
            ("Claude", "https://claude.ai.evil.example/cb", "claude.ai"),
            ("Claude", "https://evilclaude.ai/cb", "claude.ai"),
            ("Claude", "http://localhost:1/cb", "claude.ai"),
            ("Claude", "cursor://x/cb", "claude.ai"),
            ("Сlaudе", "https://evil.example/cb", "claude.ai"),
            ("Claude Code (ads)", "https://evil.example/cb", "claude.ai"),
            ("ChatGPT", "https://claude.ai/cb", "chatgpt.com"),
            ("Codex", "https://evil.example/callback", "chatgpt.com"),
            ("Visual Studio Code", "https://evil.example/cb", "vscode.dev"),
        ] {
            assert_eq!(registered(name).imitates(uri), Some(host), "{name} {uri}");
        }
        let document =
            |host: &str| Client { source: ClientSource::Document { host: host.to_owned() }, ..registered("Claude") };
        assert_eq!(document("evil.example").imitates("http://127.0.0.1/cb"), Some("claude.ai"));
        assert_eq!(document("claude.ai").imitates("http://127.0.0.1/cb"), None);
    }

    #[test]
    fn what_a_known_client_registers_itself_is_no_imitation() {
        for (name, uri) in [
            ("Claude", "https://claude.ai/api/mcp/auth_callback"),
            ("Claude Code (unified-ads)", "http://localhost:3118/callback"),
            ("Codex", "http://127.0.0.1:37819/callback/6MFBM1In3Ey-"),
            ("Visual Studio Code", "https://insiders.vscode.dev/redirect"),
            ("Visual Studio Code", "http://127.0.0.1:33418/"),
            ("opencode", "http://127.0.0.1:19876/mcp/oauth/callback"),
            ("Zed", "http://127.0.0.1:49152/callback"),
            ("Cursor", "https://www.cursor.com/agents/mcp/oauth/callback"),
            ("My assistant", "https://evil.example/cb"),
        ] {
            assert_eq!(registered(name).imitates(uri), None, "{name} {uri}");
        }
    }
}
