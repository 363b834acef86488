//! The steps of the product's story.

use super::queue::{Answer, Death, Message};
use super::{BUDGET, FAILING, Product};
use futures_util::future::join_all;
use serde_json::{Value, json};
use shared::domain::Platform;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

const FIRST: &str = "First";
const SECOND: &str = "Second";
/// The platform on which the processes of the queue die.
const DEADLY: Platform = Platform::Beta;

impl Product {
    /// Each shop buys a campaign, and every message is delivered twice: one after the other, at the same time, or again
    /// after its process has died.
    pub(super) async fn create_through_a_queue_that_crashes(&mut self) {
        let dying = self.shops_that(|shop| shop.platform == DEADLY);
        for (place, number) in dying.iter().enumerate() {
            let death = if place % 2 == 0 { Death::AfterTheWrite } else { Death::BeforeTheWrite };
            self.deliver_to_its_death(&self.creation(*number, FIRST), death).await;
        }
        assert_eq!(self.with_campaigns(&dying).await, dying.len().div_ceil(2), "half of them have bought");
        let again: Vec<Message> = dying.iter().map(|number| self.creation(*number, FIRST)).collect();
        let answers = join_all(again.iter().map(|message| self.deliver_until_done(message))).await;
        for (number, created) in dying.iter().zip(&answers) {
            self.note(*number, FIRST, created);
        }
        for number in self.shops_that(|shop| shop.platform != DEADLY) {
            let message = self.creation(number, FIRST);
            let [one, two] = if number % 2 == 0 {
                [self.deliver_until_done(&message).await, self.deliver_until_done(&message).await]
            } else {
                tokio::join!(self.deliver_until_done(&message), self.deliver_until_done(&message)).into()
            };
            assert_eq!(one.body["id"], two.body["id"], "{message:?}: {one:?} {two:?}");
            assert!(one.is_replay || two.is_replay, "{message:?}: {one:?} {two:?}");
            self.note(number, FIRST, &one);
        }
        self.judge("created").await;
    }

    /// All shops are activated while a platform fails. Its shops are rested together, and activated once it works again.
    pub(super) async fn activate_during_an_outage(&mut self) {
        self.set_outage(true).await;
        let failing = self.shops_that(|shop| shop.platform == FAILING && !shop.approves);
        let before = self.network.calls.load(Ordering::Relaxed);
        for number in &failing {
            let failed = self.deliver(&self.activation(*number, FIRST, "activate")).await;
            assert_eq!((failed.status, &failed.body["retryable"]), (502, &json!(true)), "{failed:?}");
        }
        let calls = self.network.calls.load(Ordering::Relaxed) - before;
        assert!((1..failing.len()).contains(&calls), "{calls} calls: an outage is not probed once for each shop");
        for number in self.shops_that(|shop| shop.platform != FAILING && !shop.approves) {
            self.activate_twice(number).await;
        }
        self.judge("during the outage").await;
        self.set_outage(false).await;
        for number in failing {
            self.activate_twice(number).await;
        }
        self.judge("after the outage").await;
    }

    /// Delivers the activation of a shop's campaign twice.
    async fn activate_twice(&mut self, number: usize) {
        let message = self.activation(number, FIRST, "activate");
        let one = self.deliver_until_done(&message).await;
        let two = self.deliver_until_done(&message).await;
        assert_eq!((one.status, two.status, two.is_replay), (200, 200, true), "{message:?}: {one:?} {two:?}");
        self.shops[number].running = BUDGET;
    }

    /// A second campaign exceeds the limit of its shop: it is bought, and not activated.
    pub(super) async fn refuse_what_exceeds_a_limit(&mut self) {
        for number in self.shops_that(|shop| !shop.approves).into_iter().step_by(5) {
            let created = self.deliver_until_done(&self.creation(number, SECOND)).await;
            self.note(number, SECOND, &created);
            let refused = self.deliver(&self.activation(number, SECOND, "activate-second")).await;
            let limit = &refused.body["spending_limit"];
            assert_eq!((refused.status, &limit["of"], &limit["needed"]), (403, &json!("user"), &json!(BUDGET)));
        }
        self.judge("beyond the limit").await;
    }

    /// Owners approve what the product asks for, through the product's key. One rejects it. None decides for another shop.
    pub(super) async fn let_owners_approve(&mut self) {
        let asking = self.shops_that(|shop| shop.approves);
        let mut waiting = Vec::new();
        for number in &asking {
            let message = self.activation(*number, FIRST, "activate");
            let (one, two) = (self.deliver_until_done(&message).await, self.deliver_until_done(&message).await);
            assert_eq!((one.status, &one.body["state"]), (202, &json!("awaiting_approval")), "{one:?}");
            assert_eq!(one.body["id"], two.body["id"], "asked for once");
            waiting.push(one.body["id"].as_str().expect("an id").to_owned());
        }
        assert_eq!(waiting.iter().collect::<BTreeSet<_>>().len(), asking.len(), "each shop has its own");
        self.judge("nobody has approved yet").await;
        let rejected = *asking.last().expect("a shop");
        for (number, change) in asking.into_iter().zip(&waiting) {
            let stranger = self.shops[(number + 1) % self.shops.len()].name.clone();
            assert_eq!(self.decide(&stranger, change, "GET", "review", Value::Null).await.status, 404);
            let shop = self.shops[number].name.clone();
            let owner = format!("owner of {shop}");
            if number == rejected {
                let answer = self.decide(&shop, change, "POST", "reject", json!({"rejected_by": owner})).await;
                assert_eq!((answer.status, &answer.body["state"]), (200, &json!("rejected")), "{answer:?}");
                continue;
            }
            let review = self.decide(&shop, change, "GET", "review", Value::Null).await;
            let decision = json!({"version": review.body["version"], "approved_by": owner});
            for _ in 0..2 {
                let answer = self.decide(&shop, change, "POST", "approve", decision.clone()).await;
                assert_eq!((answer.status, &answer.body["state"]), (200, &json!("applied")), "{answer:?}");
            }
            self.shops[number].running = BUDGET;
        }
        self.judge("approved").await;
    }

    /// A request about a change that waits, with the key that approves.
    async fn decide(&self, shop: &str, change: &str, method: &'static str, part: &str, body: Value) -> Answer {
        let path = format!("/v1/changes/{change}/{part}");
        self.as_approver(&Message { shop: shop.to_owned(), key: None, method, path, body }).await
    }

    /// A shop pays late: it is paused, and nothing of any other shop is. Once it is resumed, it activates again.
    pub(super) async fn pause_and_resume_one(&mut self) {
        let late = 0;
        let name = self.shops[late].name.clone();
        self.ask(&name, "POST", &format!("/v1/users/{name}/pause"), Value::Null).await;
        let raise = Message { body: json!({"budget_amount": BUDGET + 1}), ..self.activation(late, FIRST, "too-early") };
        let refused = self.deliver(&raise).await;
        assert_eq!((refused.status, &refused.body["reason"]), (403, &json!("USER_PAUSED")), "{refused:?}");
        self.minutes(4).await;
        self.shops[late].running = 0;
        self.judge("paused").await;
        let told = self.ask(&name, "POST", &format!("/v1/users/{name}/resume"), Value::Null).await;
        assert_eq!(told["is_paused"], json!(false), "{told}");
        self.judge("resumed: what is paused stays paused").await;
        let active = self.deliver_until_done(&self.activation(late, FIRST, "paid")).await;
        assert_eq!(active.status, 200, "{active:?}");
        self.shops[late].running = BUDGET;
        self.judge("resumed and activated").await;
    }

    /// A shop is disconnected: its campaign goes on as it is, and nobody reaches it any more. The next shop works as ever.
    pub(super) async fn disconnect_one(&mut self) {
        let (gone, other) = (6, 12);
        let name = self.shops[gone].name.clone();
        let listed = self.ask(&name, "GET", "/v1/connections", Value::Null).await;
        let connections = listed["connections"].as_array().expect("a list");
        assert_eq!(connections.len(), 1, "{listed}");
        let connection = connections[0]["id"].as_str().expect("an id");
        self.ask(&name, "DELETE", &format!("/v1/connections/{connection}"), Value::Null).await;
        self.judge("disconnected").await;
        for message in [self.activation(gone, FIRST, "after-the-end"), self.creation(gone, "Third")] {
            let refused = self.deliver(&message).await;
            assert!(matches!(refused.status, 403 | 404), "{message:?}: {refused:?}");
        }
        let third = self.deliver_until_done(&self.creation(other, "Third")).await;
        self.note(other, "Third", &third);
        self.judge("the others").await;
    }
}
