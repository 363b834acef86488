//! What a host does around the client: it keeps tokens, and sends its person to an address.

use reqwest::Url;
use rmcp::RoleClient;
use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt, RunningService, ServiceError};
use rmcp::transport::auth::{
    AuthClient, AuthorizationCallback, AuthorizationManager, AuthorizationRequest, CredentialStore,
    InMemoryCredentialStore, OAuthState, StoredCredentials,
};
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransport, StreamableHttpClientTransportConfig};
use serde_json::Value;
use std::error::Error;
use std::process::Command;

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;
/// A connection to the tools.
pub(crate) type Session = RunningService<RoleClient, ()>;

/// Where the answers to the sign-in go. Nothing listens there: the person of this judge brings them.
const CALLBACK: &str = "http://127.0.0.1:45874/callback";
/// The document of Codex. It is known at the service, so that no machine of another company is asked.
const CODEX: &str = "https://chatgpt.com/oauth/codex/client.json";

/// How a client says who it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Registration,
    Document,
}

/// The service, and the person who uses it.
pub(crate) struct World {
    pub(crate) service: String,
    pub(crate) sandbox: String,
    pub(crate) email: String,
    /// The program that plays the person, and its first argument.
    pub(crate) python: String,
    pub(crate) person: String,
}

impl World {
    /// The endpoint of agents.
    pub(crate) fn url(&self) -> String {
        format!("{}/v1/mcp", self.service)
    }

    /// The person opens an address and says what the assistant may do: `look` or `change`. Returns where the answer goes.
    pub(crate) fn ask(&self, address: &str, what: &str) -> Outcome<String> {
        let arguments = [&self.person, address, &self.service, &self.sandbox, &self.email, what];
        let done = Command::new(&self.python).args(arguments).output()?;
        if !done.status.success() {
            return Err(String::from_utf8_lossy(&done.stderr).into());
        }
        Ok(String::from_utf8(done.stdout)?.trim().to_owned())
    }

    /// The campaigns of a name that the sandbox has, by its own books.
    pub(crate) async fn books(&self, name: &str) -> Outcome<Vec<Value>> {
        let address = format!("{}/_sandbox/campaigns?platform=alpha_ads", self.sandbox);
        let text = reqwest::get(address).await?.error_for_status()?.text().await?;
        let books: Value = serde_json::from_str(&text)?;
        let campaigns = books["campaigns"].as_array().ok_or("the sandbox has no books")?;
        Ok(campaigns.iter().filter(|one| one["name"] == name).cloned().collect())
    }
}

/// A host with what it keeps.
pub(crate) struct Host {
    client: AuthClient<reqwest::Client>,
    store: InMemoryCredentialStore,
    mode: ClientLifecycleMode,
    url: String,
}

impl Host {
    /// A host that has never signed in.
    pub(crate) async fn new(world: &World, mode: ClientLifecycleMode) -> Outcome<Host> {
        let (manager, store) = manager(world).await?;
        Ok(Host { client: AuthClient::new(reqwest::Client::default(), manager), store, mode, url: world.url() })
    }

    /// The same program in another process, with the tokens that this one has kept.
    pub(crate) async fn twin(&self, world: &World) -> Outcome<Host> {
        let (mut manager, store) = manager(world).await?;
        store.save(self.kept().await?).await?;
        ensure(manager.initialize_from_store().await?, "the tokens of the first process are of no use")?;
        Ok(Host {
            client: AuthClient::new(reqwest::Client::default(), manager),
            store,
            mode: self.mode.clone(),
            url: self.url.clone(),
        })
    }

    pub(crate) async fn connect(&self) -> Result<Session, ClientInitializeError> {
        let config = StreamableHttpClientTransportConfig::with_uri(self.url.clone());
        let transport = StreamableHttpClientTransport::with_client(self.client.clone(), config);
        ().serve_with_lifecycle(transport, self.mode.clone()).await
    }

    /// Signs in at the challenge of a 401.
    pub(crate) async fn sign_in(&mut self, world: &World, way: Way, what: &str, challenge: &str) -> Outcome<()> {
        let (manager, store) = manager(world).await?;
        let mut state = OAuthState::Unauthorized(manager);
        let request = AuthorizationRequest::new(CALLBACK).with_client_name("Judge rmcp").with_challenge(challenge);
        let request = match way {
            Way::Registration => request,
            Way::Document => request.with_client_metadata_url(CODEX),
        };
        state.start_authorization(request).await?;
        let answer = world.ask(&state.get_authorization_url().await?, what)?;
        // The client compares the issuer of the answer with that of the metadata.
        ensure(
            state.handle_callback_url(&with_issuer(&answer, "https://evil.example")?).await.is_err(),
            "a forged issuer",
        )?;
        state.handle_callback_url(&answer).await?;
        let manager = state.into_authorization_manager().ok_or("the client has not signed in")?;
        (self.client, self.store) = (AuthClient::new(reqwest::Client::default(), manager), store);
        Ok(())
    }

    /// Asks for more at the challenge of a refused call.
    pub(crate) async fn step_up(&self, world: &World, scope: &str) -> Outcome<()> {
        let manager = self.client.auth_manager.lock().await;
        let address = manager.request_scope_upgrade(scope).await?;
        let asked = Url::parse(&address)?;
        let scopes = asked.query_pairs().find(|(name, _)| name == "scope").map(|(_, value)| value.into_owned());
        ensure(
            scopes.is_some_and(|all| all.split(' ').any(|one| one == scope)),
            "the client does not ask for the scope",
        )?;
        let answer = AuthorizationCallback::from_redirect_url(&world.ask(&address, "change")?)?;
        manager.exchange_code_for_token_with_issuer(&answer.code, &answer.csrf_token, answer.issuer.as_deref()).await?;
        Ok(())
    }

    /// Refreshes now.
    pub(crate) async fn refresh(&self) -> Outcome<()> {
        self.client.auth_manager.lock().await.refresh_token().await?;
        Ok(())
    }

    /// What the host has kept.
    pub(crate) async fn kept(&self) -> Outcome<StoredCredentials> {
        self.store.load().await?.ok_or_else(|| "the host has kept nothing".into())
    }

    /// One of the kept tokens: `access_token` or `refresh_token`.
    pub(crate) async fn token(&self, name: &str) -> Outcome<String> {
        let kept = serde_json::to_value(self.kept().await?)?;
        Ok(kept["token_response"][name].as_str().ok_or("the answer has no such token")?.to_owned())
    }

    /// Hours later: the kept access token is too old, or does not work any more.
    pub(crate) async fn age(&self, is_known: bool) -> Outcome<()> {
        let mut kept = serde_json::to_value(self.kept().await?)?;
        if is_known {
            kept["token_received_at"] = 0.into();
        } else {
            let token = self.token("access_token").await?;
            kept["token_response"]["access_token"] = format!("{}AA", &token[..token.len() - 2]).into();
        }
        Ok(self.store.save(serde_json::from_value(kept)?).await?)
    }
}

async fn manager(world: &World) -> Outcome<(AuthorizationManager, InMemoryCredentialStore)> {
    let store = InMemoryCredentialStore::new();
    let mut manager = AuthorizationManager::new(world.url()).await?;
    manager.set_credential_store(store.clone());
    Ok((manager, store))
}

/// An answer that another issuer would give.
fn with_issuer(answer: &str, issuer: &str) -> Outcome<String> {
    let mut url = Url::parse(answer)?;
    let kept: Vec<(String, String)> = url.query_pairs().into_owned().filter(|(name, _)| name != "iss").collect();
    url.query_pairs_mut().clear().extend_pairs(kept).append_pair("iss", issuer);
    Ok(url.into())
}

/// Both ways in which a session begins.
pub(crate) fn modes() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [ClientLifecycleMode::Initialize, ClientLifecycleMode::Discover { preferred_versions }]
}

/// Calls a tool.
pub(crate) async fn call(session: &Session, tool: &'static str, arguments: Value) -> Result<Value, ServiceError> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let result = session.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await?;
    let content = result.structured_content.unwrap_or_default();
    if result.is_error == Some(true) {
        return Ok(serde_json::json!({"refused": content}));
    }
    Ok(content)
}

pub(crate) fn ensure(is_so: bool, otherwise: &str) -> Outcome<()> {
    if is_so { Ok(()) } else { Err(otherwise.into()) }
}
