//! The creates of campaigns.
//!
//! - An **intent** is a create in one ad account, stored before it is sent. While its outcome is unknown, maintenance
//!   **reconciles** it: it searches for the campaign at the platform.
//! - The **open creates** of a campaign name are the intents without an outcome. A campaign that a search finds may
//!   belong to any of them. Their number is bounded.
//! - The **campaign owner** is the intent that has claimed a campaign. Two intents never report the same campaign.

mod concurrent_creates;
mod item;
mod lifecycle;

pub use concurrent_creates::{ConcurrentCreates, MAX_OPEN_CREATES};
