//! The page with agents of both kinds.

use super::*;
use crate::kit::assistant::AssistantView;

fn agent(name: &str, ended: Option<&str>) -> Agent {
    let assistant = AssistantView {
        key: format!("key_{name}"),
        connected: None,
        client: "Claude, of claude.ai".to_owned(),
        last_used: "never".to_owned(),
        may_sign_out: ended.is_none(),
        waits: None,
        ended: ended.map(str::to_owned),
    };
    Agent {
        name: name.to_owned(),
        is_expired: false,
        bars: Vec::new(),
        still: None,
        creates: "0 of 20 campaigns created today".to_owned(),
        may: "May run up to 50.00 USD a day".to_owned(),
        sees: "Google Ads: Shop (77)".to_owned(),
        user: None,
        waiting: 0,
        changes: "/dashboard/activity".to_owned(),
        page: "/dashboard/keys/one?id=key_1".to_owned(),
        edit: "/dashboard/agents/limit?id=key_1".to_owned(),
        stop: None,
        after: Vec::new(),
        assistant: Some(assistant),
        runs: "What it runs keeps running: at most 3 campaigns.".to_owned(),
    }
}

fn page(agents: Vec<Agent>, opens_assistant: bool, opens_key: bool) -> String {
    let address = "https://ads.example.com/v1/mcp";
    let template = AgentsPage {
        layout: Layout::signed_out("Agents"),
        form_key: "k".to_owned(),
        new_key: None,
        address: address.to_owned(),
        is_local: false,
        clients: clients(address, None).unwrap(),
        agents,
        programs: Vec::new(),
        is_cut: false,
        form: limit_form::of(None, None, &[crate::client::accounts::tests::known("alpha_ads", "77")]),
        user: String::new(),
        most: MAX_LIMITED_KEYS,
        is_full: false,
        is_recent: true,
        sign_in_again: String::new(),
        opens_assistant,
        opens_key,
    };
    template.render().unwrap()
}

#[test]
fn the_list_comes_first_and_the_ways_to_connect_are_folded() {
    let shown = page(vec![agent("Live", None)], false, false);
    assert!(shown.find("id=\"agents\"") < shown.find("id=\"ways\""), "{shown}");
    assert_eq!(shown.matches("<details class=\"way changes\"><summary>").count(), 2, "{shown}");
    assert!(shown.find("id=\"connect\"") < shown.find("id=\"cursor\""), "the configuration is with its form");
    let open = page(vec![agent("Live", None)], false, true);
    assert_eq!(open.matches("<details class=\"way changes\" open>").count(), 1, "{open}");
    assert!(shown.len() < 24_000, "{} bytes", shown.len());
}

#[test]
fn an_assistant_that_is_signed_out_is_connected_again_or_removed() {
    let live = page(vec![agent("Live", None)], false, false);
    assert!(live.contains(">Sign out<") && !live.contains(">Remove<") && !live.contains(">Connect again<"), "{live}");
    let ended = page(vec![agent("Old", Some("Signed out: it has signed out itself."))], false, false);
    for text in [
        "href=\"/dashboard/agents?open=assistant#sign-in\">Connect again<",
        "It does nothing until you connect it again. What it runs keeps running: at most 3 campaigns.",
        "name=\"id\" value=\"key_Old\"><input type=\"hidden\" name=\"back\" value=\"agents\">",
    ] {
        assert!(ended.contains(text), "{text}: {ended}");
    }
    assert!(!ended.contains(">Sign out<"), "{ended}");
}
