//! What people set for the pages: views of the list of campaigns, each for one person, and the time zone of the account.

use super::browser::Site;
use super::team::{ADA, BOB, SETTINGS};

const CAMPAIGNS: &str = "/dashboard/campaigns";
const VIEWS: &str = "/dashboard/campaigns/views";
const TIME_ZONE: &str = "/dashboard/settings/time-zone";

#[tokio::test(start_paused = true)]
async fn a_view_is_of_one_person_who_may_only_look_and_ten_are_the_most() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    ada.begin_work().await;
    let mut bob = ada.with_viewer(BOB).await;
    let page = bob.submit(VIEWS, "view=+Mornings+&list=status%3DPAUSED%26cols%3Dtoday.week%26page%3D3").await;
    let link = "<a href=\"/dashboard/campaigns?status=PAUSED&#38;cols=today.week\" aria-current=\"true\"><bdi>Mornings</bdi></a>";
    assert!(page.contains(link) && page.contains(">Remove this view</button>"), "{page}");
    assert!(!ada.get(CAMPAIGNS).await.text.contains("Mornings"), "it is Bob's own");
    for number in 2..=10 {
        let page = bob.submit(VIEWS, &format!("view=View+{number}&list=q%3D{number}")).await;
        assert!(page.contains(&format!("The view “View {number}” is saved.")), "{page}");
    }
    let refused = bob.submit(VIEWS, "view=One+more&list=q%3Dx").await;
    assert!(refused.contains("You have 10 views.") && refused.contains("value=\"One more\""), "{refused}");
    let wrong = bob.submit(VIEWS, "view=+&list=q%3Dx").await;
    assert!(wrong.contains("Write a name for the view."), "{wrong}");
    let left = bob.submit(VIEWS, "remove=Mornings&list=status%3DPAUSED").await;
    assert!(!left.contains("<bdi>Mornings</bdi>") && left.contains("<bdi>View 10</bdi>"), "{left}");
    let again = bob.submit(VIEWS, "remove=Mornings&list=status%3DPAUSED").await;
    assert!(again.contains("The view “Mornings” is removed."), "a double click: {again}");
}

#[tokio::test(start_paused = true)]
async fn pages_show_times_in_the_zone_of_the_account() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let page = ada.submit(TIME_ZONE, "time_zone=Asia%2FKolkata").await;
    assert!(page.contains("Pages show times in Asia/Kolkata.") && page.contains("\u{a0}IST</time>"), "{page}");
    assert!(page.contains("value=\"Asia/Kolkata\"") && page.len() < 40_000, "{}", page.len());
    let refused = ada.submit(TIME_ZONE, "time_zone=Mars%2FBase").await;
    assert!(refused.contains("Not a known time zone.") && refused.contains("\u{a0}IST</time>"), "{refused}");
    ada.submit(TIME_ZONE, "time_zone=").await;
    let page = ada.get(SETTINGS).await.text;
    assert!(page.contains(" UTC</time>") && !page.contains("data-zone"), "{page}");
}
