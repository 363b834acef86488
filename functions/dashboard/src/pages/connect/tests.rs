//! The page for programs of all kinds.

use super::earlier::{earlier, sum_of_assistants};
use super::*;
use crate::client::connect_request::tests::asked;
use crate::kit::form_errors::FormError;
use crate::kit::limit::AccountChoice;
use crate::kit::viewer::without_forms;
use shared::assistants::clients::{Client, ClientSource};
use shared::domain::spending::{CurrencyLimit, Spender};
use shared::domain::{
    ApiKeyInfo, Assistant, ClientKey, Code, ConnectionId, Currency, KeyDisplay, KeyId, MAX_ASSISTANTS, PersonId,
    Platform, Scope, Spending, SpendingLimit,
};

const CLAUDE: &str = "https://claude.ai/api/mcp/auth_callback";
const LOOPBACK: &str = "http://127.0.0.1:50001/callback";

fn document(name: &str, redirect_uri: &str) -> Client {
    let source = ClientSource::Document { host: "claude.ai".to_owned() };
    let id = "https://claude.ai/client.json".to_owned();
    Client { id, name: name.to_owned(), redirect_uris: vec![redirect_uri.to_owned()], source }
}

fn registered(name: &str, redirect_uri: &str) -> Client {
    Client { id: "dcr.e30".to_owned(), source: ClientSource::Registered, ..document(name, redirect_uri) }
}

fn now() -> jiff::Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

/// The page of a client, with some accounts to choose from.
fn page(client: &Client, redirect_uri: &str, accounts: &[&str], choices: Choices) -> ConsentPage {
    let currency = Currency::from_code("USD");
    let account = |id: &&str| AccountChoice {
        id: (*id).to_owned(),
        platform: Platform::Alpha,
        name: (*id).to_owned(),
        currency,
        is_chosen: false,
    };
    let accounts = accounts.iter().map(account).collect();
    ConsentPage {
        layout: Layout::signed_out(TITLE),
        client: ClientView::of(client, redirect_uri).unwrap(),
        account: "shop@example.com".to_owned(),
        person: "ada@example.com".to_owned(),
        who_can: "ada@example.com and cyd@example.com".to_owned(),
        asks: "to see and to change campaigns",
        mark: asked(&client.id, redirect_uri).shown_as(&client.name).mark().unwrap(),
        is_recent: true,
        sign_in_again: sign_in_again(CONSENT),
        sign_out: SIGN_OUT,
        form: LimitForm::new(&[], None, accounts, &[Currency::from_code("USD").unwrap()]).optional(),
        choices: Choices { may: "campaigns", most: MAX_ASSISTANTS, ..choices },
    }
}

fn shown(client: &Client, redirect_uri: &str) -> String {
    page(client, redirect_uri, &["conn_1"], Choices::default()).render().unwrap()
}

#[test]
fn the_page_says_who_asks_and_where_the_answer_goes() {
    let claude = shown(&document("Claude", CLAUDE), CLAUDE);
    for text in [
        "<bdi>claude.ai</bdi> says: this is <strong><bdi>Claude</bdi></strong>.",
        "The answer goes to <strong><bdi>claude.ai</bdi></strong>.</p>",
        "in the account of <bdi>shop@example.com</bdi>. You are signed in as <bdi>ada@example.com</bdi>",
        "ends by itself",
    ] {
        assert!(claude.contains(text), "{text}: {claude}");
    }
    assert!(!claude.contains("role=\"alert\"") && !claude.contains("just started"), "{claude}");
    let code = shown(&document("Claude Code", "http://127.0.0.1/callback"), LOOPBACK);
    assert!(code.contains("an app on this device</bdi></strong>. Go on only if you have just started this here."));
    let cursor = "cursor://anysphere.cursor-mcp/oauth/callback";
    let cursor = shown(&registered("Cursor", cursor), cursor);
    assert!(cursor.contains("An app calls itself <strong><bdi>Cursor</bdi></strong>. Nobody has checked that."));
    assert!(cursor.contains("the app for cursor: links on this device") && cursor.contains("just started this here"));
}

#[test]
fn an_app_that_looks_like_another_one_is_a_warning() {
    let elsewhere = "https://evil.example/callback";
    let imitated = shown(&registered("Claude", elsewhere), elsewhere);
    assert!(
        imitated.contains("role=\"alert\"") && imitated.contains("This does not come from claude.ai."),
        "{imitated}"
    );
    assert!(imitated.contains("<bdi>evil.example</bdi>") && imitated.contains("Go on only if you know this site"));
    let other_host = shown(&document("Claude", elsewhere), elsewhere);
    assert!(other_host.contains("The answer goes to evil.example, which is not claude.ai."), "{other_host}");
    assert_eq!(ClientView::of(&document("Claude", CLAUDE), elsewhere), None, "it must name its redirect URIs");
    assert_eq!(ClientView::of(&document("Claude", "javascript:alert(1)"), "javascript:alert(1)"), None);
}

#[test]
fn the_name_of_an_app_is_text() {
    let name = "\"><script>alert(1)</script><img src=x>{{ 7 }}";
    let page = shown(&registered(name, "https://a.example/"), "https://a.example/");
    assert!(!page.contains("<script>") && !page.contains("<img") && page.contains("&#60;script&#62;"), "{page}");
}

#[test]
fn the_form_asks_for_an_amount_and_for_approval() {
    let page = shown(&document("Claude", CLAUDE), CLAUDE);
    assert!(
        page.contains("value=\"campaigns\" checked")
            && page.contains("name=\"approve_activation\" value=\"yes\" checked")
    );
    let daily = page.split("<input id=\"daily\"").nth(1).and_then(|rest| rest.split('>').next()).unwrap();
    assert!(daily.contains(" value=\"\"") && !daily.contains("required"), "empty, and not needed to look: {daily}");
    assert!(page.find("value=\"allow\"") < page.find("value=\"refuse\""), "Enter presses the first button");
    assert_eq!(page.matches("value=\"refuse\"").count(), 1);
    assert!(!page.contains("You have connected it before") && !page.contains("together may run"), "{page}");
}

#[test]
fn the_page_says_what_comes_after_allow() {
    let next = |client: &Client, to: &str| {
        let page = shown(client, to);
        page.split("<p>After Allow ").nth(1).and_then(|rest| rest.split("</p>").next()).unwrap().to_owned()
    };
    let end = "To end it later: <a href=\"/dashboard/agents\">Agents</a>, Sign out.";
    assert_eq!(next(&document("Claude", CLAUDE), CLAUDE), format!("you go back to claude.ai. {end}"));
    let code = next(&document("Claude Code", "http://127.0.0.1/callback"), LOOPBACK);
    assert!(code.starts_with("you go back to the app on this device") && code.ends_with(end), "{code}");
    let cursor = "cursor://anysphere.cursor-mcp/oauth/callback";
    assert!(next(&registered("Cursor", cursor), cursor).starts_with("your browser opens the app for cursor: links"));
}

#[test]
fn the_user_of_an_assistant_is_a_closed_choice() {
    let client = document("Claude", CLAUDE);
    assert!(shown(&client, CLAUDE).contains("<details><summary>For one of your users</summary>"));
    let choices = Choices { user: "shop42".to_owned(), ..Choices::default() };
    let bound = page(&client, CLAUDE, &["conn_1"], choices).render().unwrap();
    assert!(bound.contains("<details open><summary>For one of your users</summary>"), "{bound}");
    assert!(bound.contains("name=\"external_ref\" maxlength=\"100\" autocomplete=\"off\" value=\"shop42\""), "{bound}");
}

#[test]
fn the_first_wrong_field_has_the_focus() {
    let errors = vec![FormError::new("connections", "Choose one."), FormError::new("daily", "Write an amount.")];
    let notice = Some(Notice::wrong(errors, &[]));
    let layout = Layout { notice, focuses_field: true, ..Layout::signed_out(TITLE) };
    let page = page(&document("Claude", CLAUDE), CLAUDE, &["conn_1", "conn_2"], Choices::default());
    let page = ConsentPage { layout, ..page }.render().unwrap();
    assert_eq!(page.matches(" autofocus").count(), 1, "{page}");
    let first = page.split(" autofocus").next().and_then(|before| before.rsplit("<input").next()).unwrap();
    assert!(first.contains("value=\"conn_1\" aria-invalid=\"true\""), "{first}");
    assert!(
        page.contains("<a href=\"#connections\">Choose one.</a>") && page.contains("<a href=\"#daily\">"),
        "{page}"
    );
    assert!(page.contains("aria-describedby=\"daily-hint daily-error\" aria-invalid=\"true\""), "{page}");
}

#[test]
fn a_viewer_sees_who_asks_and_who_can_connect_it() {
    let page = page(&document("Claude", CLAUDE), CLAUDE, &[], Choices::default());
    let layout = Layout { may_change: false, ..Layout::signed_out(TITLE) };
    let shown = without_forms(&ConsentPage { layout, ..page }.render().unwrap());
    for text in [
        "<bdi>claude.ai</bdi> says: this is <strong><bdi>Claude</bdi></strong>.",
        "It asks to see and to change campaigns.",
        "These people can connect it: <bdi>ada@example.com and cyd@example.com</bdi>.",
        "value=\"refuse\">Refuse</button>",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(!shown.contains("value=\"allow\"") && !shown.contains("What you give"), "{shown}");
}

#[test]
fn without_a_choice_the_page_can_still_refuse() {
    let client = document("Claude", CLAUDE);
    let old = ConsentPage { is_recent: false, ..page(&client, CLAUDE, &[], Choices::default()) }.render().unwrap();
    let empty = page(&client, CLAUDE, &[], Choices::default()).render().unwrap();
    let full = page(&client, CLAUDE, &["conn_1"], Choices { is_full: true, ..Choices::default() }).render().unwrap();
    for (page, text) in [(&old, "Sign in again"), (&empty, "None is connected yet"), (&full, "which is the most")] {
        assert!(page.contains(text) && !page.contains("value=\"allow\""), "{page}");
        assert_eq!(page.matches("value=\"refuse\"").count(), 1, "{page}");
        assert!(page.contains("calls itself") || page.contains("says: this is"), "who asks is always there");
    }
}

fn key(id: &str) -> ApiKeyInfo {
    let display = KeyDisplay::from("uac_live_0123");
    let name = format!("Name of {id}");
    let new = ApiKeyInfo::unlimited(KeyId(id.to_owned()), &name, "a".repeat(64), display, now());
    ApiKeyInfo { is_of_assistant: true, is_limited: true, ..new }
}

fn spending(id: &str, daily: i64) -> Spending {
    let currency = Currency::from_code("USD").unwrap();
    let amounts = vec![CurrencyLimit { currency, daily: daily.into(), lifetime: 0.into(), per_change: None }];
    let connections = vec![ConnectionId("conn_1".to_owned())];
    let limit = SpendingLimit { connections, amounts, creates_per_day: 20, approval: None };
    Spending::new(Spender::Key(KeyId(id.to_owned())), limit)
}

fn assistant(id: &str, second: i64, scope: Scope) -> Assistant {
    Assistant {
        key: KeyId(id.to_owned()),
        client: ClientKey::of("https://claude.ai/client.json"),
        client_name: "Claude".to_owned(),
        redirect_uri: "http://127.0.0.1:3118/callback".to_owned(),
        person: PersonId("ada".to_owned()),
        scope,
        consented_at: jiff::Timestamp::from_second(second).unwrap(),
        code: Code { id: "c".to_owned(), challenge: "d".to_owned(), taken_at: None },
        generation: 1,
        refreshed_at: None,
        last_used_at: None,
        signed_out: None,
        version: 2,
    }
}

#[test]
fn only_the_own_grants_of_this_client_are_connected_anew() {
    let request = asked("https://claude.ai/client.json", LOOPBACK);
    let own = assistant("key_1", 1, Scope::Campaigns);
    let is_same = |one: &Assistant| earlier::is_same(one, &PersonId("ada".to_owned()), &request);
    assert!(is_same(&own), "another port is the same app");
    assert!(!is_same(&Assistant { person: PersonId("bob".to_owned()), ..own.clone() }));
    assert!(!is_same(&Assistant { client: ClientKey::of("dcr.e30"), ..own.clone() }));
    assert!(!is_same(&Assistant { redirect_uri: "http://127.0.0.1:3118/other".to_owned(), ..own.clone() }));
    assert!(!is_same(&Assistant { redirect_uri: "https://evil.example/callback".to_owned(), ..own }));
}

#[test]
fn who_comes_back_finds_the_last_grant_chosen() {
    let own = [
        assistant("key_1", 1, Scope::Read),
        assistant("key_2", 2, Scope::Campaigns),
        assistant("key_3", 3, Scope::Read),
    ];
    let stopped = ApiKeyInfo { stopped_at: Some(now()), ..key("key_3") };
    let keys = [key("key_1"), key("key_2"), stopped];
    let spendings = [spending("key_1", 0), spending("key_2", 50), spending("key_3", 70)];
    let found = |layout: &Layout| earlier(own.iter(), &keys, &spendings, layout, now());
    let chosen =
        |layout: &Layout| found(layout).into_iter().map(|one| (one.key, one.words, one.is_chosen)).collect::<Vec<_>>();
    let row = |key: &str, words: &str, is_chosen| (key.to_owned(), words.to_owned(), is_chosen);
    let layout = Layout::signed_out(TITLE);
    assert_eq!(
        chosen(&layout),
        [row("key_2", "50.00 USD a day", true), row("key_1", "only looks", false)],
        "a stopped one is resumed under Agents"
    );
    let values = vec![("anew".to_owned(), String::new()), ("may".to_owned(), "read".to_owned())];
    let filled_in = Layout { notice: Some(Notice { values, ..Notice::default() }), ..Layout::signed_out(TITLE) };
    assert!(chosen(&filled_in).iter().all(|(_, _, is_chosen)| !is_chosen), "another one was chosen");
    assert_eq!(sum_of_assistants(&keys, &spendings, now()).as_deref(), Some("50.00 USD a day"));
    assert_eq!(sum_of_assistants(&[key("key_1")], &spendings, now()), None);
    let of_user = ApiKeyInfo { external_ref: shared::domain::ExternalRef::parse("shop42"), ..key("key_2") };
    let bound = earlier(own.iter(), &[of_user], &spendings, &layout, now());
    assert_eq!(
        (bound[0].words.as_str(), bound[0].user.as_str()),
        ("50.00 USD a day; for your user shop42 alone", "shop42")
    );
    let choices = Choices { earlier: found(&layout), asks_for_more: true, ..Choices::default() };
    let page = page(&document("Claude", CLAUDE), CLAUDE, &["conn_1"], choices).render().unwrap();
    assert!(page.contains("value=\"key_2\" checked") && page.contains("name=\"anew\" value=\"\">"), "{page}");
    assert!(page.contains("So far you let it only look."), "{page}");
}

#[test]
fn a_request_that_leads_nowhere_has_a_page() {
    let page = |is_its_fault| {
        let layout = Layout::signed_out(TITLE);
        NotConnectedPage { layout, message: "The <app> is wrong.", is_its_fault }.render().unwrap()
    };
    assert!(page(true).contains("The &#60;app&#62; is wrong.") && page(true).contains("nothing was sent to it"));
    assert!(page(false).contains("begin in its app") && !page(false).contains("tell its makers"));
}
