//! A person and a program at a process that is killed at each of its writes, beside a gateway that lives.

use super::store::{Moment, Store};
use crate::gateway_process::GatewayProcess;
use crate::kill::harness::Harness;
use crate::person::{AGENTS, Person, TOKEN, Tokens, exchange_form, refresh_form, text};
use aws_sdk_dynamodb::types::AttributeValue;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use shared::outbound::OutboundResponse;
use std::collections::{BTreeSet, HashMap};
use std::pin::pin;
use tempfile::TempDir;
use tokio::select;

const KEYS: &str = "/v1/api-keys";
const TABLE: &str = "unified-ads";

/// The processes, the person, and the API of the customer.
pub(super) struct Stage {
    folder: TempDir,
    /// The gateway that lives: it has the table.
    _owner: GatewayProcess,
    harness: Harness,
    store: Store,
    /// The process that is killed.
    process: GatewayProcess,
    pub(super) person: Person,
    /// The limits of earlier cases, whose keys are deleted.
    former_limits: BTreeSet<String>,
}

/// A form that is sent to a process that dies, and what there is by then.
pub(super) struct Case {
    pub(super) path: &'static str,
    pub(super) form: String,
    /// The tokens that the program has been given.
    pub(super) before: Vec<Tokens>,
}

/// What became of a form that was sent to a process that dies, and then once more to another process.
pub(super) struct Outcome {
    /// `None` if the process had died by then.
    pub(super) first: Option<OutboundResponse>,
    pub(super) again: OutboundResponse,
}

impl Outcome {
    /// The tokens of both answers.
    pub(super) fn tokens(&self) -> Vec<Tokens> {
        self.first.iter().chain([&self.again]).filter_map(Tokens::of).collect()
    }

    /// Asserts that the form was refused the second time in the words of OAuth, so that the person signs in again.
    #[track_caller]
    pub(super) fn assert_ended(&self) {
        let body: Value = serde_json::from_slice(&self.again.body).unwrap();
        assert_eq!((self.again.status, &body["error"]), (StatusCode::BAD_REQUEST, &json!("invalid_grant")), "{body}");
    }
}

impl Stage {
    pub(super) async fn new() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let owner = GatewayProcess::on(folder.path());
        let harness = Harness::without_accounts(&owner, owner.field("sandbox"));
        harness.connect("delta_ads", None, "").await;
        let store = Store::before(folder.path());
        let process = GatewayProcess::joining(store.folder());
        let person = Person::signed_in(process.field("gateway")).await;
        Stage { folder, _owner: owner, harness, store, process, person, former_limits: BTreeSet::new() }
    }

    /// An assistant that has just got its tokens.
    pub(super) async fn connected(&mut self) -> Tokens {
        let code = self.person.allow(None).await;
        self.person.tokens(&exchange_form(&code)).await
    }

    /// What a person and the program do once the tokens have ended. Returns the new tokens.
    pub(super) async fn connect_anew(&mut self) -> Tokens {
        let key = self.key().await["id"].as_str().unwrap().to_owned();
        let code = self.person.allow(Some(&key)).await;
        self.person.tokens(&exchange_form(&code)).await
    }

    /// The keys of assistants.
    async fn keys(&self) -> Vec<Value> {
        let listed = self.harness.get(KEYS).await["api_keys"].as_array().unwrap().clone();
        listed.into_iter().filter(|key| key["assistant"] == true).collect()
    }

    /// The key of the only assistant, which has the only limit.
    pub(super) async fn key(&self) -> Value {
        let keys = self.keys().await;
        let [key] = keys.as_slice() else { panic!("not one key: {keys:?}") };
        let limit = &key["spending_limit"]["amounts"][0];
        assert_eq!((&limit["currency"], &limit["daily"]), (&json!("USD"), &json!(120.5)), "{key}");
        let new: BTreeSet<String> = self.limits().await.difference(&self.former_limits).cloned().collect();
        assert_eq!(new, BTreeSet::from([key["id"].as_str().unwrap().to_owned()]));
        key.clone()
    }

    /// The keys that have a limit in the table, those among them that were deleted.
    async fn limits(&self) -> BTreeSet<String> {
        let client = gateway::aws_of_folder(self.folder.path()).dynamodb_client();
        let table = client.scan().table_name(TABLE).consistent_read(true).send().await.unwrap();
        let limit =
            |item: &HashMap<String, AttributeValue>| item["sk"].as_s().ok()?.strip_prefix("LIMIT#").map(str::to_owned);
        table.items().iter().filter_map(limit).collect()
    }

    /// Whether an access token works. If not, the answer is that it does not.
    pub(super) async fn works(&mut self, tokens: &Tokens) -> bool {
        let status = self.person.call(&tokens.access).await;
        assert!([StatusCode::OK, StatusCode::UNAUTHORIZED].contains(&status), "{status}");
        status == StatusCode::OK
    }

    /// Asserts that of these tokens none works, and that none leads to others.
    pub(super) async fn assert_ended(&mut self, tokens: &[Tokens]) {
        for one in tokens {
            assert!(!self.works(one).await, "an access token works");
            let answer = self.person.send(TOKEN, &refresh_form(&one.refresh)).await.unwrap();
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", text(&answer));
        }
    }

    /// Whether the page of agents says that the assistant is signed out.
    pub(super) async fn is_signed_out(&mut self) -> bool {
        self.person.page(AGENTS).await.contains("Signed out on ")
    }

    /// Asserts that no token works once the page says that the assistant is signed out.
    async fn assert_page_is_right(&mut self, tokens: &[Tokens]) {
        if self.is_signed_out().await {
            for one in tokens {
                assert!(!self.works(one).await, "an access token of an assistant that is signed out works");
            }
        }
    }

    /// Sends the form of a case to a process that dies at a write, if it comes so far. Returns the answer, if there was one;
    /// the writes; and whether the process has died.
    async fn die_at(
        &mut self,
        case: &Case,
        number: usize,
        moment: Moment,
    ) -> (Option<OutboundResponse>, Vec<String>, bool) {
        self.store.quiet().await;
        self.store.close_at(number, moment);
        let (answer, is_held) = self.send_until_held(case).await;
        let writes = self.store.open();
        if is_held {
            self.process = GatewayProcess::joining(self.store.folder());
            self.person.move_to(self.process.field("gateway"));
        }
        (answer, writes, is_held)
    }

    /// Sends the form of a case, and kills the process if it waits at the chosen write.
    async fn send_until_held(&mut self, case: &Case) -> (Option<OutboundResponse>, bool) {
        let Stage { store, process, person, .. } = self;
        let mut sent = pin!(person.send(case.path, &case.form));
        let mut answer = None;
        let is_held = select! {
            biased;
            () = store.held() => true,
            answered = &mut sent => {
                answer = answered;
                // It may have work left.
                select! {
                    biased;
                    () = store.held() => true,
                    () = store.quiet() => false,
                }
            }
        };
        if is_held {
            assert!(!process.signal("-KILL").success());
            if answer.is_none() {
                answer = sent.await;
            }
        }
        (answer, is_held)
    }

    /// Arranges a case again and again, and sends its form each time to a process that dies just before, and just after, the
    /// first, the second, the third of its writes, until it has no more of them. Then another process gets the same form, and
    /// the outcome is judged. Returns the writes.
    pub(super) async fn at_each_write(
        &mut self,
        mut arrange: impl AsyncFnMut(&mut Stage) -> Case,
        mut judge: impl AsyncFnMut(&mut Stage, &Case, Outcome),
    ) -> Vec<String> {
        let mut all = Vec::new();
        for moment in [Moment::Before, Moment::After] {
            let mut met: Vec<String> = Vec::new();
            loop {
                let case = arrange(self).await;
                let (first, writes, has_died) = self.die_at(&case, met.len(), moment).await;
                println!("{moment:?} {:?} of {writes:?}", writes.get(met.len()));
                let known = [case.before.clone(), first.iter().filter_map(Tokens::of).collect()].concat();
                self.assert_page_is_right(&known).await;
                let again = self.person.send(case.path, &case.form).await.unwrap();
                assert!(!again.status.is_server_error(), "{}", text(&again));
                let outcome = Outcome { first, again };
                let known = [known, outcome.tokens()].concat();
                self.assert_page_is_right(&known).await;
                judge(self, &case, outcome).await;
                for key in self.keys().await {
                    let path = format!("{KEYS}/{}", key["id"].as_str().unwrap());
                    self.harness.call(Method::DELETE, &path, &Value::Null).await.unwrap();
                }
                self.former_limits = self.limits().await;
                if !has_died {
                    assert_eq!(met, writes, "each write was met");
                    all = writes;
                    break;
                }
                met.push(writes[met.len()].clone());
            }
        }
        all
    }
}
