//! Everything that is done to campaigns.
//!
//! - A **change** is a create, an update or a removal of one campaign, stored before it is sent. While its outcome is
//!   unknown, maintenance **settles** it: it reads the platform. The changes of a customer are its **history**.
//! - A **request** record leads from the id of a create request to its changes.
//! - The **open creates** of a campaign name are the creates without an outcome. A campaign that a search finds may
//!   belong to any of them. Their number is bounded.
//! - The **stop** of a key is due until the pauses of all its campaigns are stored.
//! - The **campaign owner** is the create that has claimed a campaign. Two creates never report the same campaign.

mod approval;
mod attributes;
mod bulk;
mod commit;
mod concurrent_creates;
mod creates;
mod history;
mod item;
mod lifecycle;
mod record;
mod schedule;
mod stop;
#[cfg(test)]
mod tests;
mod write;

pub(super) use attributes::StoredRequester;
pub use commit::{Commit, CommitResult};
pub use concurrent_creates::{ConcurrentCreates, MAX_OPEN_CREATES};
pub use creates::BeginResult;
pub(super) use creates::request_item;
pub use history::ChangePage;
pub(super) use item::{ChangeSnapshot, parse as parse_change};
pub(super) use record::MovedAttributes;
pub use record::RecordMove;
pub use write::TransitionResult;
