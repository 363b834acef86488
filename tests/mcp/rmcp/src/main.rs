//! An assistant that signs in through `rmcp`, as Codex does: `judge-rmcp SIGNED_IN PYTHON PERSON`.

mod host;

use host::{Host, Outcome, Session, Way, World, call, ensure, modes};
use reqwest::Url;
use serde_json::{Value, json};

const CHANGES: [&str; 4] = ["create_campaign", "delete_campaign", "pause_campaign", "update_campaign"];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let [people, python, person] = <[String; 3]>::try_from(std::env::args().skip(1).collect::<Vec<_>>())
        .map_err(|_| "judge-rmcp SIGNED_IN PYTHON PERSON")?;
    let people: Value = serde_json::from_str(&std::fs::read_to_string(people)?)?;
    let known = |name: &str| people[name].as_str().map(str::to_owned).ok_or("the file of people is incomplete");
    let (service, sandbox, email) = (known("service")?, known("sandbox")?, known("email")?);
    let world = World { service, sandbox, email, python, person };
    for (mode, era) in modes().into_iter().zip(["initialize", "discover"]) {
        for (way, by) in [(Way::Registration, "registration"), (Way::Document, "document")] {
            for what in ["change", "look"] {
                let name = format!("rmcp, {era}, {by}, {what}");
                let mut host = Host::new(&world, mode.clone()).await?;
                story(&world, &mut host, way, what, &name).await.map_err(|error| format!("{name}: {error}"))?;
                println!("{name}: signs in, changes, refreshes and ends");
            }
        }
    }
    Ok(())
}

async fn story(world: &World, host: &mut Host, way: Way, what: &str, name: &str) -> Outcome<()> {
    let refused = host.connect().await.err().ok_or("the service lets in a host without a token")?;
    let challenge = refused.auth_challenge().ok_or("the refusal has no challenge")?;
    host.sign_in(world, way, what, challenge).await?;
    let is_registered = host.kept().await?.client_id.starts_with("dcr.");
    ensure(is_registered == (way == Way::Registration), "the client has another id")?;

    let session = host.connect().await?;
    ensure(changes(&session).await? == if what == "change" { CHANGES.len() } else { 0 }, "other tools are listed")?;
    let accounts = call(&session, "list_accounts", json!({})).await?;
    let account = accounts["accounts"].get(0).ok_or("no account is listed")?.clone();
    later(host, &session).await?;
    if what == "look" {
        step_up(world, host, &session).await?;
    }
    let session = host.connect().await?;
    ensure(changes(&session).await? == CHANGES.len(), "the changes are not listed")?;
    create(world, &session, &account, name).await?;
    race(world, host).await?;
    end(world, host, &session).await
}

/// How many of the listed tools change something.
async fn changes(session: &Session) -> Outcome<usize> {
    let tools = session.list_all_tools().await?;
    Ok(tools.iter().filter(|tool| CHANGES.contains(&tool.name.as_ref())).count())
}

/// Hours later: the client refreshes before its token ends, and after it was refused, and asks no person.
async fn later(host: &Host, session: &Session) -> Outcome<()> {
    for is_known in [true, false] {
        let before = host.token("refresh_token").await?;
        host.age(is_known).await?;
        let accounts = call(session, "list_accounts", json!({})).await?;
        ensure(accounts["accounts"].get(0).is_some(), "no account is listed after a refresh")?;
        ensure(host.token("refresh_token").await? != before, "the client has not refreshed")?;
    }
    Ok(())
}

/// One that only looks calls a change, and the person allows more.
async fn step_up(world: &World, host: &Host, session: &Session) -> Outcome<()> {
    let change = json!({"campaign_id": format!("cmp_{}", "0".repeat(32))});
    let refused = call(session, "pause_campaign", change).await.err().ok_or("one that looks has changed something")?;
    let challenge = refused.auth_challenge().ok_or("the refusal has no challenge")?;
    let params = rmcp::transport::auth::WWWAuthenticateParams::parse(challenge, &Url::parse(&world.url())?);
    ensure(params.is_insufficient_scope(), "the challenge does not say insufficient_scope")?;
    host.step_up(world, params.scope.as_deref().ok_or("the challenge names no scope")?).await
}

/// Creates a campaign, which the sandbox has, once and paused.
async fn create(world: &World, session: &Session, account: &Value, name: &str) -> Outcome<()> {
    let mut draft = json!({
        "connection_id": account["id"],
        "name": name,
        "goal": "TRAFFIC",
        "budget_amount": 25,
        "currency": account["currency"],
        "budget_period": "DAILY",
    });
    let preview = call(session, "preview_change", json!({"kind": "create", "arguments": draft})).await?;
    draft["confirm_token"] = preview["confirm_token"].clone();
    let created = call(session, "create_campaign", draft).await?;
    ensure(created["campaign"]["status"] == "PAUSED", &created.to_string())?;
    let books = world.books(name).await?;
    ensure(books.len() == 1 && books[0]["status"] == "PAUSED", &format!("{books:?}"))
}

/// Two processes refresh with the same token. Both go on.
async fn race(world: &World, host: &Host) -> Outcome<()> {
    let twin = host.twin(world).await?;
    host.refresh().await?;
    twin.refresh().await?;
    for one in [host, &twin] {
        call(&one.connect().await?, "list_accounts", json!({})).await?;
    }
    Ok(())
}

/// The client has no revocation, so its host sends it. Then neither token works, and the client wants a sign-in.
async fn end(world: &World, host: &Host, session: &Session) -> Outcome<()> {
    let address = format!("{}/v1/oauth2/revoke", world.service);
    let fields = [("token", host.token("refresh_token").await?), ("client_id", host.kept().await?.client_id)];
    let body = Url::parse_with_params("http://localhost/", fields)?.query().unwrap_or_default().to_owned();
    let request = reqwest::Client::default().post(address).header("Content-Type", "application/x-www-form-urlencoded");
    request.body(body).send().await?.error_for_status()?;
    let refused = call(session, "list_accounts", json!({})).await.err().ok_or("a revoked token works")?;
    ensure(refused.is_authorization_required(), "the client does not want a sign-in")?;
    let challenge = refused.auth_challenge().unwrap_or_default();
    ensure(challenge.contains("invalid_token") && challenge.contains("resource_metadata"), challenge)?;
    ensure(host.refresh().await.is_err(), "a revoked token refreshes")
}
