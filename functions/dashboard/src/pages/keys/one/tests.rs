//! The page of a key as it is sent.

use super::plan::{RevertPlan, RevertRow, StayRow};
use super::*;
use crate::kit::assets::sent_bytes;
use crate::kit::key_stop::StopView;
use shared::domain::CampaignId;

/// Largest page with its stylesheet and its script, as browsers get them.
const MAX_WEIGHT: usize = 60_000;

fn plan(rows: usize) -> PlanView {
    plan_without(rows, &[])
}

/// A plan in which the person has not ticked these campaigns.
fn plan_without(rows: usize, left_out: &[String]) -> PlanView {
    let id = CampaignId::parse("alpha_1_2").unwrap();
    let row = |number: usize| RevertRow {
        id: CampaignId::parse(&format!("alpha_1_{number}")).unwrap(),
        account: "1".to_owned(),
        name: format!("Spring {number}"),
        before: "Active, 50.00 USD a day".to_owned(),
        now: "Paused, 275.00 USD a day".to_owned(),
        notes: vec!["Activates it: its platform may spend it.".to_owned()],
        changes: ["chg_01a230d51280a1b2c3d4e5f60718293a"; 3].join(","),
        daily: None,
        activates: true,
    };
    let stay = StayRow { id: id.clone(), account: "1".to_owned(), name: "A".to_owned(), reason: "B".to_owned() };
    let plan = RevertPlan { rows: (0..rows).map(row).collect(), stay: vec![stay], ..RevertPlan::default() };
    PlanView::of(plan, left_out, &[])
}

fn page(stop: Option<StopView>, is_recent: bool, plan: Option<PlanView>) -> String {
    let refreshes = plan.is_none();
    let did = DidView {
        sums: vec!["+4,275.00 USD a day".to_owned(), "+10.00 EUR a day".to_owned()],
        counts: Some("57 changes of 19 campaigns".to_owned()),
        asides: Vec::new(),
        is_cut: false,
        left: Some("Of this, +225.00 USD a day still runs.".to_owned()),
        running: Some("12 of these campaigns run now.".to_owned()),
        refusal: None,
    };
    let template = KeyPage {
        layout: Layout { account: Some("ada@example.com".to_owned()), current: KEYS, ..Layout::signed_out("Wild") },
        id: "key_1".to_owned(),
        name: "Wild".to_owned(),
        list: (KEYS, "All API keys"),
        badge: ("good", "Active"),
        form_key: "1".to_owned(),
        since: Since::of(&[], false),
        choices: Since::of(&[], false).choices(),
        activity: key_activity("key_1"),
        did,
        assistant: None,
        limit: None,
        is_live: stop.is_none(),
        stop: stop.map(|view| Stopped {
            since: "1 Dec 2026, 09:00 UTC".to_owned(),
            view,
            reverted: Some("Being reverted: 12 of 19 seen.".to_owned()),
            ..Stopped::default()
        }),
        again: Some("17 run again since you reverted".to_owned()).filter(|_| !refreshes),
        refreshes,
        plan_path: Since::of(&[], false).page("key_1"),
        plan,
        next: None,
        is_recent,
        sign_in_again: sign_in_again(KEYS),
    };
    template.render().unwrap()
}

#[test]
fn one_page_stops_a_key_and_reverts_what_it_did() {
    let live = page(None, true, Some(plan(19)));
    for text in [
        "<strong>+4,275.00 USD a day</strong>, <strong>+10.00 EUR a day</strong> in 57 changes of 19 campaigns.",
        "Of this, +225.00 USD a day still runs. 12 of these campaigns run now.",
        "Stop it and pause what it runs</button>",
        "name=\"only\" value=\"yes\">Stop it, and leave its campaigns</button><p>Only the key is stopped.",
        "name=\"stop\" value=\"yes\" data-count=\"Stop it and revert\">Stop it and revert the ticked campaigns</button>",
        "data-count=\"Revert\">Revert the ticked campaigns</button>",
        "Unchanged",
    ] {
        assert!(live.contains(text), "{text}: {live}");
    }
    assert!(live.matches("form=\"bulk\" name=\"changes\"").count() == 19 && live.contains("class=\"cards ticks\""));
    assert!(live.len() + sent_bytes() <= MAX_WEIGHT, "{} + {}", live.len(), sent_bytes());
    let old = page(None, false, Some(plan(19)));
    assert!(
        old.contains("Stop it and pause what it runs</button>") && old.contains("A stop alone does not ask."),
        "{old}"
    );
    assert!(old.contains("type=\"checkbox\"") && old.contains("Revert the ticked"), "what is ticked is kept: {old}");
    assert!(!live.contains("asks you to sign in once more"), "{live}");
}

#[test]
fn the_total_of_a_revert_says_for_which_campaigns_it_is() {
    let all = page(None, true, Some(plan(3)));
    for text in [
        "<span data-for=\"bulk\">for all listed</span>",
        "<p><strong>This activates <span data-number=\"activates\">3 campaigns</span> again</strong>",
        "<noscript><button class=\"quiet\" name=\"count\" value=\"yes\">Count again</button> </noscript>",
        "name=\"row\" value=\"alpha_1_1 chg_01a230d51280a1b2c3d4e5f60718293a\"",
    ] {
        assert!(all.contains(text), "{text}: {all}");
    }
    assert!(all.contains("<p hidden>What may be spent") && all.matches(" checked").count() == 3, "{all}");
    let left_out = ["alpha_1_1".to_owned(), "beta_9_9".to_owned()];
    let some = page(None, true, Some(plan_without(3, &left_out)));
    assert!(some.contains("for the 2 that were ticked when this was counted"), "{some}");
    assert!(some.contains(">2 campaigns</span> again") && some.matches(" checked").count() == 2, "{some}");
}

#[test]
fn a_stop_that_goes_on_refreshes_its_page_and_shows_no_plan() {
    let progress = "12 of 19 campaigns paused".to_owned();
    let goes_on = StopView { progress, goes_on: true, ..StopView::default() };
    let shown = page(Some(goes_on), true, None);
    for text in [
        "<section aria-labelledby=\"stop\" data-live>",
        "<strong>12 of 19 campaigns paused</strong>.",
        "in 57 changes of 19 campaigns. Being reverted: 12 of 19 seen.",
        "<noscript><meta http-equiv=\"refresh\" content=\"10\"></noscript>",
        "href=\"/dashboard/keys/one?id=key_1&#38;since=day\">Revert what it did</a>",
        "<summary>Resume</summary>",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert!(!shown.contains("Stop it") && !shown.contains("id=\"bulk\""), "{shown}");
    let done = page(Some(StopView { is_refused: true, ..StopView::default() }), true, Some(plan(1)));
    assert!(!done.contains("data-live") && done.contains("Pause the rest of <bdi>Wild</bdi> again"), "{done}");
    let paused = StopView { progress: "19 of 19 campaigns paused".to_owned(), ..StopView::default() };
    let reverted = page(Some(paused), true, Some(plan(1)));
    let told = "<strong>19 of 19 campaigns paused</strong>; of those that the stop has paused, 17 run again since you reverted.";
    assert!(reverted.contains(told), "{reverted}");
    assert!(done.contains("Revert the ticked campaigns") && !done.contains("name=\"stop\""), "{done}");
}

#[test]
fn a_key_that_is_stopped_alone_can_still_have_its_campaigns_paused() {
    let shown = page(Some(StopView::of_key_alone()), true, Some(plan(1)));
    assert!(
        shown.contains("<strong>Its campaigns were left as they were</strong>")
            && shown.contains(">Pause what it runs</button>"),
        "{shown}"
    );
    assert!(shown.contains("Revert the ticked campaigns") && !shown.contains("data-live"), "{shown}");
}
