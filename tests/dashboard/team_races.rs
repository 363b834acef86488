//! Changes of the people of an account at the same moment, in two processes.

use super::browser::{Browser, Site};
use super::double_clicks::{another_process, at};
use super::team::{ADA, BOB, REMOVE, ROLE};
use futures_util::future::join;

/// Ada and Bob, who are both owners.
async fn two_owners(site: &Site) -> (Browser<'_>, Browser<'_>) {
    let mut ada = site.signed_in(ADA).await;
    let bob = ada.with_member(BOB).await;
    ada.submit(ROLE, &format!("{}&role=OWNER", ada.naming(BOB).await)).await;
    (ada, bob)
}

#[tokio::test(start_paused = true)]
async fn concurrent_demotions_of_two_owners_keep_one() {
    for (path, role) in [(ROLE, "&role=MEMBER"), (REMOVE, "")] {
        let site = Site::new().await;
        let (ada, bob) = two_owners(&site).await;
        let sites = [another_process(&site), another_process(&site)];
        let (first, second) = (format!("{}{role}", ada.naming(BOB).await), format!("{}{role}", ada.naming(ADA).await));
        let (mut one, mut two) = (at(&sites[0], &ada), at(&sites[1], &bob));
        join(one.post(path, &first), two.post(path, &second)).await;
        assert_eq!(ada.owners().await.len(), 1, "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn concurrent_departures_of_two_owners_keep_one() {
    let site = Site::new().await;
    let (ada, bob) = two_owners(&site).await;
    let sites = [another_process(&site), another_process(&site)];
    let (first, second) = (ada.naming(ADA).await, ada.naming(BOB).await);
    let (mut one, mut two) = (at(&sites[0], &ada), at(&sites[1], &bob));
    join(one.post(REMOVE, &first), two.post(REMOVE, &second)).await;
    assert_eq!(ada.owners().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_sign_in_during_the_removal_leaves_no_session() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.with_member(BOB).await;
    let form = ada.naming(BOB).await;
    let sites = [another_process(&site), another_process(&site)];
    let (mut owner, mut member) = (at(&sites[0], &ada), sites[1].browser());
    let page = member.begin("/dashboard/sign-in").await;
    let callback = sites[1].at_issuer(&page, BOB).await;
    join(owner.post(REMOVE, &form), member.get(&callback)).await;
    assert_eq!(ada.people().await.len(), 1);
    let store = &site.app.store;
    let left = store.sessions(ada.customer(), None, site.app.clock.now()).await.expect("a store");
    assert_eq!(left.len(), 1, "that of the owner alone: {left:?}");
}

#[tokio::test(start_paused = true)]
async fn a_double_click_invites_once() {
    let site = Site::new().await;
    let ada = site.signed_in(ADA).await;
    let sites = [another_process(&site), another_process(&site)];
    let (mut one, mut two) = (at(&sites[0], &ada), at(&sites[1], &ada));
    let (first, second) = join(one.invite("1"), two.invite("1")).await;
    assert_eq!(first, second);
    let open = site.app.store.invitations(ada.customer(), site.app.clock.now()).await.expect("a store");
    assert_eq!(open.len(), 1);
}
