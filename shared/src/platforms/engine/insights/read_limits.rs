//! How many platform pages are read for one page of ours, and for how long.

use super::InsightsRequest;
use crate::domain::Platform;
use crate::error::{Error, Kind};
use crate::platforms::engine::call::Client;
use crate::platforms::errors::{endless, slow_report};
use std::time::Duration;
use tokio::time::Instant;

/// Maximum number of platform pages that are read for a page that may end.
const MAX_PAGES: usize = 20;
/// A page that may end requests no further platform page after this time.
const READ_TIME: Duration = Duration::from_secs(8);
/// Maximum number of platform pages in any case: no report of the days of a request is so long.
const MAX_READS: usize = 50;

/// Decides whether a page of ours reads another page of the platform.
///
/// A page may end once it has a row, because the next page continues at the position of a row. A report on one campaign
/// has no next page. So a page without rows, and a report on one campaign, are read until the call's deadline.
#[derive(Debug)]
pub(in crate::platforms) struct ReadLimits {
    platform: Platform,
    is_of_one_campaign: bool,
    until: Instant,
    deadline: Instant,
    /// The platform pages so far.
    reads: usize,
}

impl ReadLimits {
    /// Starts the time.
    pub(in crate::platforms) fn start(client: &Client<'_>, request: &InsightsRequest) -> ReadLimits {
        ReadLimits {
            platform: client.platform(),
            is_of_one_campaign: request.campaign.is_some(),
            until: Instant::now() + READ_TIME,
            deadline: client.deadline(),
            reads: 0,
        }
    }

    /// Counts another platform page; `false` if the page of ours ends before it.
    pub(in crate::platforms) fn continues(&mut self, has_rows: bool) -> Result<bool, Error> {
        let now = Instant::now();
        if self.may_end(has_rows) && (self.reads >= MAX_PAGES || now >= self.until) {
            return Ok(false);
        }
        if self.reads > 0 && now >= self.deadline {
            return Err(slow_report(self.platform));
        }
        if self.reads >= MAX_READS {
            return Err(endless(self.platform));
        }
        self.reads += 1;
        Ok(true)
    }

    /// Whether a page of ours may end before the report does.
    pub(in crate::platforms) fn may_end(&self, has_rows: bool) -> bool {
        has_rows && !self.is_of_one_campaign
    }

    /// Whether the platform page that was counted last is the first.
    pub(in crate::platforms) fn is_first(&self) -> bool {
        self.reads == 1
    }

    /// The error of a platform page. A later page that the deadline ends means that the whole report is slow.
    pub(in crate::platforms) fn failure(&self, error: Error) -> Error {
        let is_of_deadline = !self.is_first() && error.retryable && Instant::now() >= self.deadline;
        match error.kind {
            Kind::PlatformTimeout | Kind::PlatformFailed if is_of_deadline => {
                slow_report(self.platform).caused_by(error)
            }
            _ => error,
        }
    }
}
