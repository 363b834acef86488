//! The numbers of one campaign: what it did by day, what it has spent lately, and how its month ends.

use super::kept;
use crate::client::accounts::{self, Connection};
use crate::client::api::{Api, Refusal};
use crate::client::readings::{CampaignRow, KeptCampaign, Reading, of_campaign};
use crate::kit::forecast::MonthClock;
use crate::kit::month::Resumption;
use crate::kit::month_end::{self, MonthEnd, MonthEndWords, Verdict};
use crate::kit::range::Range;
use crate::kit::report::{DailyReport, ReportedDays};
use crate::kit::total::Total;
use jiff::Timestamp;
use jiff::civil::Date;
use shared::domain::{CampaignId, Days};
use shared::envelope::CampaignInsights;
use shared::serve::WebRequest;
use tokio::time::{Instant, timeout_at};

/// The connections, the days that the page shows of a campaign, what it did on each, and what it has spent today, in the seven
/// days before and in this month, as far as those are read.
pub(super) struct Shown {
    pub(super) connections: Vec<Connection>,
    pub(super) range: Range,
    pub(super) reported: Result<(ReportedDays, [Total; 3]), Refusal>,
    /// The moment in the month of its ad account; `None` for an account that is not known.
    pub(super) clock: Option<MonthClock>,
}

/// Reads the numbers of a campaign. Its days are those of the platform's reports on its ad account, so the connections
/// come first.
pub(super) async fn numbers(request: &WebRequest, api: &Api<'_>, id: &str, until: Instant) -> Shown {
    let connections = accounts::connections(api).await.unwrap_or_default();
    let campaign = CampaignId::parse(id);
    let own = campaign.and_then(|campaign| connections.iter().find(|connection| connection.contains(&campaign)));
    let range = Range::read(&request.query, request.now);
    let today = own.map(|own| own.today(request.now));
    let range = today.map_or(range, |today| range.for_today(today));
    let clock = own.and_then(|own| MonthClock::at(request.now, &own.report_zone()));
    let insights = timeout_at(until, of_campaign(api, id, range.with_month(today))).await;
    let insights = insights.unwrap_or_else(|_| Err(kept::late(id)));
    let reported = insights.map(|insights| reported(insights, range, today));
    Shown { connections, range, reported, clock }
}

/// What the campaign did on each day of a range, and what it has spent today, in the seven days before and in this month, if that
/// was read.
fn reported(insights: CampaignInsights, range: Range, today: Option<Date>) -> (ReportedDays, [Total; 3]) {
    let CampaignInsights { campaign, days, account, .. } = insights;
    let (platform, currency) = (account.platform, account.currency);
    let zone = account.time_zone.clone();
    let reading = Reading::of(account, days);
    let of = |read: Days| {
        let is_read = (days.from..=days.to).contains(&read.to);
        if is_read { reading.sums(read).of(&campaign).spend } else { Total::UNKNOWN }
    };
    let day = |today| Days { from: today, to: today };
    let month = |today: Date| Days { from: today.first_of_month(), to: today };
    let spent =
        today.map_or([Total::UNKNOWN; 3], |today| [day(today), Range::week(today).period(), month(today)].map(of));
    let sums = reading.sums(range.period());
    let days = sums.by_day(range);
    (ReportedDays { platform, currency, zone, range, days, total: sums.total }, spent)
}

/// What the campaign has spent today, in the seven days before and in this month, as far as it is read, or else as it was kept.
pub(super) fn spent_lately(
    reported: &Result<(ReportedDays, [Total; 3]), Refusal>,
    kept: Option<&KeptCampaign>,
) -> [Total; 3] {
    match (reported, kept) {
        (Ok((_, spent)), _) => *spent,
        (Err(_), Some(kept)) => [kept.row.numbers.spend.today, kept.row.numbers.spend.week, Total::UNKNOWN],
        (Err(_), None) => [Total::UNKNOWN; 3],
    }
}

/// What the campaign did by day, as far as it is read, or else as it was kept; `None` if it did nothing.
pub(super) fn report(
    reported: &Result<(ReportedDays, [Total; 3]), Refusal>,
    kept: Option<&KeptCampaign>,
) -> Result<Option<DailyReport>, Refusal> {
    let days = match (reported, kept.and_then(|kept| kept.reported.as_ref())) {
        (Ok((days, _)), _) | (Err(_), Some(days)) => days,
        (Err(refusal), None) => return Err(refusal.clone()),
    };
    Ok((!days.is_empty()).then(|| DailyReport::new(days, 1)))
}

/// How the month of a campaign ends, in the words of the page of months.
pub(super) fn month_end(
    row: &CampaignRow,
    reported: Total,
    (resumption, clock): (Option<Resumption>, MonthClock),
    now: Timestamp,
) -> Option<MonthEndWords> {
    let campaign = &row.campaign;
    let spent = month_end::spent(reported, campaign.monthly?, clock);
    let end = MonthEnd::of(campaign, [spent, row.numbers.spend.week], row.running(resumption, now), clock)?;
    let reason = row.not_running_line(now).filter(|_| row.does_not_run(now));
    // Without today, which not all of the days to choose leave room for, the page of months alone tells it.
    (end.verdict() != Verdict::Unknown).then(|| end.words(campaign, reason.as_deref()))
}
