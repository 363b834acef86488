//! Filters by who made a request: the request log by key, and the activity by person.

use super::actions::shown_key;
use super::browser::Site;

const ADA: &str = "ada@example.com";
const ACTIVITY: &str = "/dashboard/activity";
const USAGE: &str = "/dashboard/usage";

/// The value of the option with a text.
fn option(page: &str, text: &str) -> String {
    let options = page.split("<option value=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    let mut found = options.filter(|(_, rest)| rest.contains(&format!(">{text}</option>")) && rest.starts_with('>'));
    let (value, _) = found.next().unwrap_or_else(|| panic!("no option {text} in {page}"));
    value.to_owned()
}

#[tokio::test(start_paused = true)]
async fn the_request_log_shows_the_requests_of_one_key() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let nightly = ada.begin_work().await;
    let made = ada.send_form("/dashboard/keys", "name=Reports&scopes=read&scopes=write&expires=").await;
    let reports = shown_key(&made).expect("a key");
    for (key, name) in [(&nightly, "A"), (&nightly, "B"), (&reports, "C")] {
        site.create(key, name).await;
    }
    let rows = |page: &str| page.matches("<td data-label=\"Path\">").count();
    let all = ada.text(USAGE).await;
    assert_eq!(rows(&all), 3, "{all}");
    let id = option(&all, "Reports");
    let one = ada.text(&format!("{USAGE}?api_key_id={id}")).await;
    assert_eq!(rows(&one), 1, "{one}");
    assert!(one.contains(&format!("<option value=\"{id}\" selected>Reports</option>")), "{one}");
    assert!(one.contains(&format!("href=\"{USAGE}/csv?api_key_id={id}\"")), "{one}");
    let file = ada.text(&format!("{USAGE}/csv?api_key_id={id}")).await;
    assert_eq!(file.lines().count(), 2, "{file}");
}

#[tokio::test(start_paused = true)]
async fn the_activity_shows_what_one_person_did() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let key = ada.begin_work().await;
    let id = site.create(&key, "A").await;
    ada.send_form("/dashboard/campaigns/change", &format!("id={id}&back=one&status=ACTIVE")).await;
    assert_eq!(ada.rows(ACTIVITY).await.len(), 2);
    let person = option(&ada.text(ACTIVITY).await, ADA);
    let rows = ada.rows(&format!("{ACTIVITY}?person_id={person}")).await;
    assert!(rows.len() == 1 && rows[0].contains("Activated"), "{rows:?}");
    let none = ada.text(&format!("{ACTIVITY}?person_id=nobody")).await;
    assert!(none.contains("No changes match.") && none.contains("A former member"), "{none}");
    let file = ada.text(&format!("{ACTIVITY}/csv?person_id={person}")).await;
    assert_eq!(file.lines().count(), 2, "{file}");
}
