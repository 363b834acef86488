//! Several approvals at once: one sign-in, each decided on its own, and what became of each.

use super::browser::{Browser, Site};
use super::double_clicks::filled_in;
use http::StatusCode;
use serde_json::{Value, json};
use tokio::time::{Duration, advance};

const ADA: &str = "ada@example.com";
const APPROVALS: &str = "/dashboard/approvals";
const DECIDE: &str = "/dashboard/approvals/decide";

impl Site {
    /// New campaigns whose activation an agent asks for, by their names.
    pub(super) async fn asked(&self, own: &str, agent: &str, names: &[&str]) -> Vec<String> {
        let mut campaigns = Vec::new();
        for name in names {
            let campaign = self.create(own, name).await;
            let path = format!("/v1/campaigns/{campaign}");
            let (status, asked) = self.ask(agent, "PATCH", &path, &json!({"status": "ACTIVE"})).await;
            assert_eq!(status, StatusCode::ACCEPTED, "{asked}");
            campaigns.push(campaign);
        }
        campaigns
    }

    /// The names of the campaigns that spend, by the sandbox's books.
    pub(super) async fn spending(&self) -> Vec<String> {
        let books = self.world.control("GET", "campaigns?platform=alpha_ads", &Value::Null).await;
        let all = books["campaigns"].as_array().expect("a list").clone();
        let mut names: Vec<String> = all
            .iter()
            .filter(|one| ["ENABLED", "ACTIVE"].contains(&one["status"].as_str().unwrap_or_default()))
            .filter_map(|one| Some(one["name"].as_str()?.to_owned()))
            .collect();
        names.sort();
        names
    }
}

impl Browser<'_> {
    /// The form of the list with all of its boxes ticked, and a button.
    async fn ticked(&mut self, button: &str) -> String {
        let page = self.text(APPROVALS).await;
        let boxes = page.split("name=\"ids\" value=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let boxes: String = boxes.map(|choice| format!("ids={}&", choice.replace(' ', "+"))).collect();
        format!("{boxes}do={button}")
    }
}

#[tokio::test(start_paused = true)]
async fn several_are_approved_at_once_and_each_outcome_is_named() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    let campaigns = site.asked(&own, &agent, &["Autumn", "Spring", "Summer"]).await;
    let list = ada.text(APPROVALS).await;
    assert!(list.contains("Together they add <strong>150.00 USD a day</strong>."), "{list}");
    assert_eq!(list.matches("<strong>50.00 USD a day</strong>").count(), 3, "{list}");
    assert!(
        list.contains("Runs from now, without an end") && list.contains("data-amount=\"50000000 2 USD a day\""),
        "{list}"
    );
    // One campaign changes after somebody has asked: it is not what the person has seen.
    let path = format!("/v1/campaigns/{}", campaigns[0]);
    let (status, changed) = site.ask(&own, "PATCH", &path, &json!({"budget_amount": 55})).await;
    assert_eq!(status, StatusCode::OK, "{changed}");
    let form = ada.ticked("approve").await;
    assert_eq!(form.matches("ids=").count(), 3, "{form}");
    let done = ada.send_form(DECIDE, &form).await;
    assert!(done.contains("class=\"notice outcome part\""), "amber: {done}");
    assert!(done.contains("2 of 3 changes are approved. What became of each:"), "{done}");
    assert_eq!(done.matches("</strong> Approved and applied.</li>").count(), 2, "{done}");
    assert!(done.contains("<strong>Autumn</strong> The campaign has changed since you looked."), "{done}");
    assert_eq!(site.spending().await, ["Spring", "Summer"]);
    // Sent again, it makes nothing twice, and says the same.
    let again = ada.send_form(DECIDE, &form).await;
    assert!(again.contains("2 of 3 changes are approved."), "{again}");
    assert_eq!(site.spending().await, ["Spring", "Summer"]);
    let form = ada.ticked("reject").await;
    let rejected = ada.send_form(DECIDE, &form).await;
    assert!(
        rejected.contains("1 change is rejected:") && rejected.contains("Nothing is waiting for approval"),
        "{rejected}"
    );
    assert_eq!(site.spending().await, ["Spring", "Summer"]);
}

#[tokio::test(start_paused = true)]
async fn several_are_approved_only_after_a_recent_sign_in() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let own = ada.begin_work().await;
    let agent = ada.make_agent().await;
    site.asked(&own, &agent, &["Spring", "Summer"]).await;
    let form = ada.ticked("approve").await;
    let nothing = ada.send_form(DECIDE, "do=approve").await;
    assert!(nothing.contains("Tick the changes to decide on first."), "{nothing}");
    advance(Duration::from_secs(10 * 60 + 1)).await;
    let list = ada.text(APPROVALS).await;
    assert!(list.contains("sign in once more") && list.contains("value=\"approve\""), "{list}");
    let sent = ada.post(DECIDE, &form).await.to().to_owned();
    assert_eq!(sent, "/dashboard/sign-in?again=yes&return_to=%2Fdashboard%2Fapprovals");
    let back = ada.sign_in_from(&sent, ADA).await.to().to_owned();
    let kept = ada.text(&back).await;
    assert!(kept.contains("<button>Approve 2 changes</button>") && kept.contains("notice outcome plain"), "{kept}");
    assert!(site.spending().await.is_empty(), "nothing is sent without the click");
    let mut eve = site.signed_in("eve@example.com").await;
    let refused = eve.send_form(DECIDE, &form).await;
    assert!(refused.contains("Nothing is approved:") && !refused.contains("Spring"), "{refused}");
    assert!(site.spending().await.is_empty());
    let own = filled_in(&kept, DECIDE, "Approve 2 changes", "").replace(" ", "+");
    let done = ada.send_form(DECIDE, &own).await;
    assert!(done.contains("2 changes are approved"), "{done}");
    assert_eq!(site.spending().await, ["Spring", "Summer"]);
}
