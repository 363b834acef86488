//! What ad accounts have reported of their campaigns. There is one kind of reading, and each page shows sums of
//! readings: by campaign, by account, by day, by platform, or in all. Today, and the days before it, are those of the
//! platform's reports on the account, so that sums agree with its own pages (D92).
//!
//! Readings are kept in two places, for the same time. The campaigns and their last two weeks are in the table, because
//! they are on the pages that people open first, and two clicks may reach two processes (D70). The days that a person
//! chooses for insights stay in the memory of the process: up to 90 days of all accounts do not fit into items of the
//! table (D75).

mod ask;
mod budgets;
mod bulk_changes;
mod changed;
mod failures;
mod freshness;
mod gather;
mod kept;
mod kept_campaign;
mod last_answer;
mod last_reads;
mod memory;
mod missing;
mod notes;
mod overview;
mod questions;
mod reading;
mod recent;
mod refresh;
mod spend_row;
mod spent;
mod state;
mod tasks;
mod totals;
mod words;

pub(crate) use ask::of_campaign;
pub(crate) use budgets::known_budgets;
pub(crate) use bulk_changes::kept_campaigns;
pub(crate) use failures::ShownFailure;
pub(crate) use gather::{Account, AccountNumbers, InsightsData, gather};
pub(crate) use kept_campaign::{KeptCampaign, kept_campaign, kept_with_times};
pub(crate) use last_answer::last_answer;
pub(crate) use last_reads::{LastRead, ReadFailure, last_reads};
pub(crate) use notes::{change, note, note_any, note_end, note_pause_of_all, note_undone};
pub(crate) use overview::{CampaignRow, Overview};
pub(crate) use questions::Wanted;
pub(crate) use reading::{Reading, Sums};
pub(crate) use recent::{RecentNumbers, RecentSpend};
pub(crate) use spend_row::SpendRow;
pub(crate) use spent::{KeptSpend, Spent, SpentOfChanges};
pub(crate) use state::AccountState;
pub(crate) use totals::{StatusCounts, spent_together};

#[cfg(test)]
pub(crate) use {
    ask::ListEnd, gather::GroupAnswers, memory::PlatformAnswer, questions::by_range, reading::tests as samples,
    refresh::listed,
};
#[cfg(test)]
pub(crate) mod tests;
