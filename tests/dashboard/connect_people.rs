//! Assistants and the roles of people: who connects one, and what becomes of it when its person only looks.

use super::browser::Site;
use super::connect::{AGENTS, CHANGE, CONSENT, LOOPBACK, address, answered, claude_code};
use super::double_clicks::filled_in;
use super::team::{ADA, BOB, ROLE};
use http::StatusCode;
use shared::domain::{CodeOutcome, SignOutReason};

#[tokio::test(start_paused = true)]
async fn a_viewer_connects_no_assistant_and_may_refuse() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let mut bob = ada.with_viewer(BOB).await;
    let page = bob.asked(&address(&claude_code(), LOOPBACK, &[])).await.text;
    for text in ["<bdi>My agent</bdi>", "to see and to change campaigns", "These people can connect it", ADA] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("value=\"allow\"") && !page.contains("name=\"connections\""), "{page}");
    let refuse = filled_in(&page, CONSENT, "value=\"refuse\"", "decision=refuse");
    let allow = format!("{}&{CHANGE}", refuse.replace("decision=refuse&", "").replace("&decision=refuse", ""));
    assert_eq!(bob.post(CONSENT, &allow).await.status, StatusCode::FORBIDDEN);
    let answer = answered(bob.post(CONSENT, &refuse).await.to());
    assert_eq!((answer["error"].as_str(), answer["state"].as_str()), ("access_denied", "state-1"));
    assert!(site.assistants(&ada).await.1.is_empty(), "nothing is made");
}

#[tokio::test(start_paused = true)]
async fn a_member_who_becomes_a_viewer_loses_their_assistants() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.connect("alpha_ads").await;
    let mut bob = ada.with_member(BOB).await;
    let code = site.code(&bob.allowed(&address(&claude_code(), LOOPBACK, &[]), CHANGE).await).await;
    ada.allowed(&address(&claude_code(), LOOPBACK, &[]), CHANGE).await;
    let (assistants, keys) = site.assistants(&ada).await;
    let of_bob = assistants.iter().find(|one| one.key == code.key).expect("the assistant of Bob");
    let CodeOutcome::Taken(taken) = of_bob.take_code(&code.id, site.app.clock.now()) else { panic!("a code") };
    assert!(site.app.store.put_assistant(ada.customer(), Some(of_bob), &taken).await.expect("a write"));
    let naming = ada.naming(BOB).await;
    let member = ada.submit(ROLE, &format!("{naming}&role=OWNER")).await;
    assert!(!member.contains("is signed out, too"), "an owner may change something: {member}");
    let told = ada.submit(ROLE, &format!("{naming}&role=VIEWER")).await;
    assert!(told.contains("The assistant that they have connected is signed out, too."), "{told}");
    let (after, keys_after) = site.assistants(&ada).await;
    for one in &after {
        let is_of_bob = one.key == code.key;
        let why = one.signed_out.as_ref().map(|end| end.why);
        assert_eq!(why, is_of_bob.then_some(SignOutReason::ByPerson), "{one:?}");
        let hash = |keys: &[shared::domain::ApiKeyInfo]| {
            keys.iter().find(|key| key.id == one.key).map(|key| key.hash.clone()).expect("its key stays")
        };
        assert_eq!(hash(&keys) != hash(&keys_after), is_of_bob, "its tokens end");
    }
    let page = ada.get(AGENTS).await.text;
    assert!(page.contains("was removed, or only looks now"), "{page}");
    let again = ada.submit(ROLE, &format!("{naming}&role=VIEWER")).await;
    assert!(!again.contains("is signed out, too"), "it may be repeated: {again}");
}
