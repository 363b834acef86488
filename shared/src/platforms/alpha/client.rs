//! Calls of the Google Ads API over REST: addresses, headers, paging, and what an outcome means for a write.

use super::fault::{doubtful, fault, is_operators_fault, read, unreadable};
use super::query::number;
use super::translate::edit::Edit;
use super::wire;
use crate::domain::Platform;
use crate::error::{Error, Kind};
use crate::outbound::{Answer, Failure, Outgoing, secret_header};
use crate::platforms::{CallContext, Session, answers};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use serde_json::value::RawValue;

/// Where the API is, with the version that the messages in [`wire`] are of.
const BASE: &str = "https://googleads.googleapis.com/v26";

/// Most pages of one search that are followed. A page holds 10,000 rows, so that it takes a fault to get there.
const MAX_PAGES: usize = 20;

/// A caller of the API on behalf of one user, directly or through a manager account.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client<'a> {
    call: &'a CallContext,
    token: &'a SecretString,
    manager: Option<&'a str>,
}

impl<'a> Client<'a> {
    /// A caller without a manager.
    pub(super) fn new(call: &'a CallContext, token: &'a SecretString) -> Client<'a> {
        Client { call, token, manager: None }
    }

    /// The caller of a session.
    pub(super) fn of(session: &'a Session) -> Client<'a> {
        Client { call: &session.call, token: &session.token, manager: session.account.manager_id.as_deref() }
    }

    /// Resource names of the customers that the user reaches directly (Google Ads API: List accessible accounts).
    pub(super) async fn accessible_customers(&self) -> Result<Vec<String>, Error> {
        let url = self.call.config.address(&format!("{BASE}/customers:listAccessibleCustomers"));
        let outgoing = Outgoing { method: Method::GET, url, headers: self.headers()?, body: Bytes::new() };
        let answer = self.repeatable(self.send(outgoing).await)?;
        Ok(read::<wire::ListAccessibleCustomersResponse>(&answer.body)?.resource_names)
    }

    /// One page of a search, from the beginning or from a page token on.
    pub(super) async fn search(
        &self,
        customer: &str,
        query: &str,
        page_token: Option<&str>,
    ) -> Result<wire::SearchGoogleAdsResponse, Error> {
        let request = wire::SearchGoogleAdsRequest { query, page_token };
        let outgoing = self.post(customer, "googleAds:search", &request)?;
        let answer = self.repeatable(self.call.outbound.query(outgoing, self.call.deadline).await)?;
        let page: wire::SearchGoogleAdsResponse = read(&answer.body)?;
        // An empty token is what proto3 says for none.
        Ok(wire::SearchGoogleAdsResponse {
            next_page_token: page.next_page_token.filter(|token| !token.is_empty()),
            ..page
        })
    }

    /// All rows of a search. That there are none is believed only where the answer is one to a search: then it says
    /// which fields it is about.
    pub(super) async fn search_all(&self, customer: &str, query: &str) -> Result<Vec<Box<RawValue>>, Error> {
        let mut rows = Vec::new();
        let mut page_token = None;
        for _ in 0..MAX_PAGES {
            let page = self.search(customer, query, page_token.as_deref()).await?;
            rows.extend(page.results);
            page_token = page.next_page_token;
            if page_token.is_none() {
                let is_answer = page.field_mask.is_some() || !rows.is_empty();
                return if is_answer { Ok(rows) } else { Err(unreadable("neither rows nor fields")) };
            }
        }
        Err(unreadable("a search without an end"))
    }

    /// Carries out changes, which may be sent again whatever became of them.
    pub(super) async fn edit(&self, customer: &str, edit: &Edit) -> Result<Vec<wire::MutateResult>, Error> {
        let outgoing = self.edition(customer, edit)?;
        let answer = self.repeatable(self.send(outgoing).await)?;
        let results = match edit {
            Edit::Both(..) => results_of_both(&answer)?,
            Edit::Campaign(_) | Edit::Budget(_) => read::<wire::MutateResponse>(&answer.body)?.results,
        };
        if results.is_empty() {
            return Err(unreadable("a change without a result"));
        }
        Ok(results)
    }

    /// Creates, once. Where it is not certain that nothing was created, the error says so and is not retryable.
    pub(super) async fn create(
        &self,
        customer: &str,
        name: &str,
        request: &wire::MutateGoogleAdsRequest,
    ) -> Result<Vec<wire::MutateResult>, Error> {
        let outgoing = self.post(customer, "googleAds:mutate", request)?;
        let answer = match self.send(outgoing).await {
            Ok(answer) => answer,
            Err(Failure::NotSent) => return Err(answers::no_answer(Platform::Alpha, Failure::NotSent)),
            Err(failure) => return Err(doubtful(name, answers::no_answer(Platform::Alpha, failure))),
        };
        if answer.status.is_success() {
            return results_of_both(&answer).map_err(|error| doubtful(name, error));
        }
        let error = self.fault(&answer);
        match error.kind {
            // Only a client error that says what it refused is certain to have created nothing.
            Kind::PlatformFailed if !is_operators_fault(&error) => Err(doubtful(name, error)),
            _ if !answer.status.is_client_error() => Err(doubtful(name, error)),
            // What was not found is something that the create refers to.
            Kind::NotFound => Err(Error { kind: Kind::PlatformRefused, ..error }),
            _ => Err(error),
        }
    }

    fn edition(&self, customer: &str, edit: &Edit) -> Result<Outgoing, Error> {
        use wire::MutateOperation::{CampaignBudgetOperation, CampaignOperation};
        let response_content_type = wire::ResponseContentType::MutableResource;
        match edit {
            Edit::Campaign(campaign) => {
                let request = wire::MutateRequest { operations: [campaign], response_content_type };
                self.post(customer, "campaigns:mutate", &request)
            }
            Edit::Budget(budget) => {
                let request = wire::MutateRequest { operations: [budget], response_content_type };
                self.post(customer, "campaignBudgets:mutate", &request)
            }
            Edit::Both(budget, campaign) => {
                let mutate_operations =
                    vec![CampaignBudgetOperation(budget.clone()), CampaignOperation(campaign.clone())];
                let request = wire::MutateGoogleAdsRequest { mutate_operations, response_content_type };
                self.post(customer, "googleAds:mutate", &request)
            }
        }
    }

    fn post(&self, customer: &str, method: &str, request: &impl Serialize) -> Result<Outgoing, Error> {
        // The id becomes part of the path.
        number(customer).ok_or_else(|| Error::internal("the ad account's id is not a number"))?;
        let url = self.call.config.address(&format!("{BASE}/customers/{customer}/{method}"));
        let body = serde_json::to_vec(request).map_err(Error::internal)?;
        Ok(Outgoing { method: Method::POST, url, headers: self.headers()?, body: body.into() })
    }

    /// Google Ads API: REST authorization and HTTP headers.
    fn headers(&self) -> Result<HeaderMap, Error> {
        let mut headers = HeaderMap::new();
        headers.insert(
            AUTHORIZATION,
            secret_header(&format!("Bearer {}", self.token.expose_secret())).map_err(Error::internal)?,
        );
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(manager) = self.manager {
            let value = HeaderValue::from_str(manager).map_err(Error::internal)?;
            headers.insert(HeaderName::from_static("login-customer-id"), value);
        }
        if let Some(developer_token) = &self.call.config.client.developer_token {
            headers.insert(
                HeaderName::from_static("developer-token"),
                secret_header(developer_token.expose_secret()).map_err(Error::internal)?,
            );
        }
        Ok(headers)
    }

    async fn send(&self, outgoing: Outgoing) -> Result<Answer, Failure> {
        self.call.outbound.send(outgoing, self.call.deadline).await
    }

    /// An answer of success, or the error of a call that may be sent again.
    fn repeatable(&self, outcome: Result<Answer, Failure>) -> Result<Answer, Error> {
        let answer = outcome.map_err(|failure| answers::no_answer(Platform::Alpha, failure))?;
        if answer.status.is_success() { Ok(answer) } else { Err(self.fault(&answer)) }
    }

    /// The error of an answer, without the secrets that were sent, should the platform repeat one.
    fn fault(&self, answer: &Answer) -> Error {
        let sent = [Some(self.token), self.call.config.client.developer_token.as_ref()];
        let sent: Vec<&SecretString> = sent.into_iter().flatten().collect();
        answers::without_secrets(fault(answer), &sent)
    }
}

fn results_of_both(answer: &Answer) -> Result<Vec<wire::MutateResult>, Error> {
    let answer: wire::MutateGoogleAdsResponse = read(&answer.body)?;
    let each = answer.mutate_operation_responses.into_iter();
    Ok(each.flat_map(|response| [response.campaign_budget_result, response.campaign_result]).flatten().collect())
}

#[cfg(test)]
mod refusals;
#[cfg(test)]
mod tests;
