//! Changes of campaigns for people: what was done, by whom, and with what outcome.

mod row;
mod wire;
mod words;

pub(crate) use row::{Row, tone};
pub(crate) use wire::ChangeList;
pub(crate) use words::{kind_word, state_word};

use crate::api::{Api, Refusal};

/// The list of changes in the API.
pub(crate) const CHANGES: &str = "/v1/changes";

/// Reads a page of changes in the enveloped shape, because it has more statuses.
pub(crate) async fn read(api: &Api<'_>, target: &str) -> Result<ChangeList, Refusal> {
    api.read(target).await
}
