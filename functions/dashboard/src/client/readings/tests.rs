//! Tests of what is read, what is kept, and what it adds up to.

use super::changed::tests::seen_paused;
use super::kept::{self, KeptCampaigns};
use super::recent::days_to_read;
use super::refresh::{ReadMode, tasks};
use super::samples::{insights, row};
use super::state::KnownAccounts;
use super::tasks::{PendingParts, all_days};
use super::*;
use crate::client::accounts::Connection;
use crate::client::accounts::tests::known;
use crate::kit::campaign::CampaignSummary;
use crate::kit::campaign::tests::campaign;
use crate::kit::pace::Pace;
use crate::kit::total::Total;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{BudgetPeriod, CampaignStatus, ConnectionId, Currency, InsightsRow};
use shared::store::{KeptChange, KeptOverview, KeptPart, OverviewPart};

/// What an ad account returns: its campaigns, and their rows; `None` for rows that could not be read.
pub(crate) struct SampleAccount {
    pub(crate) connection: Connection,
    pub(crate) campaigns: Vec<CampaignSummary>,
    pub(crate) rows: Option<Vec<InsightsRow>>,
    /// Rows are missing.
    pub(crate) is_cut: bool,
}

/// The overview of accounts that were read now, and kept. The connection of account `7` is `conn_7`.
pub(crate) fn overview(accounts: &[SampleAccount], now: Timestamp) -> Overview {
    let connections: Vec<Connection> = accounts.iter().map(|account| account.connection.clone()).collect();
    let asked = tasks(&connections, &KeptOverview::default(), &[], ReadMode::Usual, now);
    let mut parts = Vec::new();
    for account in accounts {
        let Connection { id, platform, remote_account_id, .. } = &account.connection;
        let campaigns = KeptCampaigns::write(account.campaigns.iter(), false);
        let task = asked.iter().find(|task| task.platform == *platform && task.part == OverviewPart::Days);
        let days = all_days(&task.unwrap().accounts).unwrap();
        let json = account.rows.as_ref().map(|rows| {
            let is_asked = |row: &&InsightsRow| row.date.is_some_and(|day| days.contains(day));
            let rows = rows.iter().filter(is_asked).cloned().collect();
            let reading = Reading { is_cut: account.is_cut, ..Reading::of(insights(remote_account_id, rows), days) };
            kept::write_days(&reading)
        });
        let of = |part, rows: Option<String>| KeptPart {
            part,
            connection: id.0.clone(),
            tried_at: now,
            problem: rows.is_none().then(|| "It does not answer.".to_owned()),
            rows: rows.map(|rows| (now, rows)),
        };
        parts.extend([of(OverviewPart::Campaigns, Some(campaigns)), of(OverviewPart::Days, json)]);
    }
    let kept = KeptOverview { parts, changes: Vec::new() };
    let KnownAccounts { accounts, rows } = KnownAccounts::of(&connections, &kept, &Vec::new(), now);
    Overview { rows, accounts, now, ..Overview::default() }
}

fn at(text: &str) -> Timestamp {
    format!("2026-11-23T{text}Z").parse().unwrap()
}

fn connection(id: &str, account: &str) -> Connection {
    Connection {
        id: ConnectionId(id.to_owned()),
        account_name: Some("Harbour Coffee".to_owned()),
        time_zone: Some("UTC".to_owned()),
        ..known("beta_ads", account)
    }
}

fn part(part: OverviewPart, tried_at: Timestamp, json: String) -> KeptPart {
    KeptPart { part, connection: "conn_1".to_owned(), tried_at, rows: Some((tried_at, json)), problem: None }
}

fn campaigns_part(tried_at: Timestamp, campaigns: &[CampaignSummary]) -> KeptPart {
    part(OverviewPart::Campaigns, tried_at, KeptCampaigns::write(campaigns.iter(), false))
}

fn days_part(tried_at: Timestamp, rows: Vec<InsightsRow>) -> KeptPart {
    let days = days_to_read(connection("conn_1", "7").today(tried_at));
    part(OverviewPart::Days, tried_at, kept::write_days(&Reading::of(insights("1", rows), days)))
}

fn active(id: &str) -> CampaignSummary {
    campaign(id, CampaignStatus::Active)
}

fn currency(code: &str) -> Currency {
    Currency::from_code(code).unwrap()
}

fn whole(spend: i64) -> Total {
    Total::of(Some(Decimal::from(spend)))
}

#[test]
fn only_what_is_old_or_changed_is_read_again() {
    let known = vec![connection("conn_1", "7")];
    let kept = |campaigns: &str, days: &str| KeptOverview {
        parts: vec![campaigns_part(at(campaigns), &[active("alpha_7_1")]), days_part(at(days), Vec::new())],
        changes: Vec::new(),
    };
    let read = |kept: &KeptOverview, mode| -> Vec<OverviewPart> {
        tasks(&known, kept, &[], mode, at("12:00:00")).into_iter().map(|task| task.part).collect()
    };
    assert_eq!(read(&KeptOverview::default(), ReadMode::Usual), [OverviewPart::Campaigns, OverviewPart::Days]);
    assert_eq!(read(&kept("11:58:00", "11:56:59"), ReadMode::Usual), [OverviewPart::Days]);
    assert_eq!(read(&kept("11:59:49", "11:59:51"), ReadMode::Newer), [OverviewPart::Campaigns], "a person asks");
    // A person has asked at 11:59:58, and only the numbers had an answer before the page no longer waited.
    let since = ReadMode::CompleteSince(at("11:59:58"));
    assert_eq!(
        read(&kept("11:59:30", "11:59:58"), since),
        [OverviewPart::Campaigns],
        "it is no answer to the question"
    );
    assert_eq!(read(&kept("11:59:30", "11:59:58"), ReadMode::Complete), []);
    let mut empty = kept("11:59:49", "11:59:49");
    empty.parts[0] = campaigns_part(at("11:59:49"), &[]);
    assert_eq!(read(&empty, ReadMode::Usual), [OverviewPart::Campaigns], "its first campaigns may be there");
    let mut failed = kept("11:58:59", "11:59:01");
    failed.parts.iter_mut().for_each(|part| part.problem = Some("No.".to_owned()));
    assert_eq!(read(&failed, ReadMode::Usual), [OverviewPart::Campaigns], "a failure is tried again after a minute");
    let change = |campaign: Option<&str>, time: &str| {
        let change = KeptChange { campaign: campaign.map(str::to_owned), ..KeptChange::of_any(at(time)) };
        read(&KeptOverview { changes: vec![change], ..kept("11:59:00", "11:59:00") }, ReadMode::Usual)
    };
    assert_eq!(change(Some("beta_7_1"), "11:59:30"), [OverviewPart::Campaigns]);
    assert_eq!(change(None, "11:59:30"), [OverviewPart::Campaigns]);
    assert_eq!(change(Some("beta_8_1"), "11:59:30"), [], "another account");
    assert_eq!(change(Some("beta_7_1"), "11:58:30"), [], "before the reading");
}

#[test]
fn what_a_program_has_changed_is_read_again_after_some_seconds() {
    let known = vec![connection("conn_1", "7")];
    let read = |tried_at: &str, campaign: &str, changed_at: &str| -> Vec<OverviewPart> {
        let parts = vec![campaigns_part(at(tried_at), &[active("beta_7_1")]), days_part(at(tried_at), Vec::new())];
        let (kept, changed) =
            (KeptOverview { parts, changes: Vec::new() }, [seen_paused(campaign, at(changed_at), false)]);
        let asked = tasks(&known, &kept, &changed, ReadMode::Usual, at("12:00:00"));
        asked.into_iter().map(|task| task.part).collect()
    };
    assert_eq!(read("11:59:30", "beta_7_1", "11:59:40"), [OverviewPart::Campaigns]);
    assert_eq!(read("11:59:51", "beta_7_1", "11:59:55"), [], "it was read a moment ago");
    assert_eq!(read("11:59:30", "beta_7_1", "11:59:20"), [], "the reading knows it");
    assert_eq!(read("11:59:30", "beta_8_1", "11:59:40"), [], "another account");
}

#[test]
fn an_account_of_a_moment_ago_that_did_nothing_is_read_again_and_shows_no_zero() {
    let of = |connected: &str| Connection { connected_at: at(connected), ..connection("conn_1", "7") };
    let kept = |rows| KeptOverview {
        parts: vec![campaigns_part(at("11:59:52"), &[active("beta_7_1")]), days_part(at("11:59:45"), rows)],
        changes: Vec::new(),
    };
    let now = at("12:00:00");
    let is_asked = |connected: &str, rows| !tasks(&[of(connected)], &kept(rows), &[], ReadMode::Usual, now).is_empty();
    let row = || vec![row("beta_7_1", "2026-11-22", Some(10))];
    assert!(is_asked("11:59:40", Vec::new()), "it was empty at the consent");
    assert!(!is_asked("11:40:00", Vec::new()) && !is_asked("11:59:40", row()));
    let waiting = vec![(OverviewPart::Days, "conn_1".to_owned())];
    let shown = |connected: &str, rows, waiting: &PendingParts| {
        let known = KnownAccounts::of(&[of(connected)], &kept(rows), waiting, now);
        (known.accounts[0].is_first, known.rows[0].numbers.spend.today)
    };
    assert_eq!(shown("11:59:40", Vec::new(), &waiting), (true, Total::UNKNOWN), "no zero while it is read");
    assert_eq!(shown("11:59:40", Vec::new(), &Vec::new()), (false, whole(0)), "it has answered");
    assert_eq!(shown("11:40:00", Vec::new(), &waiting), (false, whole(0)));
    assert!(!shown("11:59:40", row(), &waiting).0);
}

#[test]
fn a_bulk_change_is_read_after_its_start_and_after_its_end() {
    let known = vec![connection("conn_1", "7")];
    let is_read = |tried_at: &str, changed_at: &str, open_until: Option<&str>| {
        let change = KeptChange {
            bulk: Some("bulk_1".to_owned()),
            open_until: open_until.map(at),
            ..KeptChange::of_any(at(changed_at))
        };
        let parts = vec![campaigns_part(at(tried_at), &[]), days_part(at(tried_at), Vec::new())];
        let kept = KeptOverview { parts, changes: vec![change] };
        !tasks(&known, &kept, &[], ReadMode::Usual, at("12:00:00")).is_empty()
    };
    assert!(is_read("11:59:40", "11:59:50", Some("12:00:20")), "before the start");
    assert!(!is_read("11:59:51", "11:59:50", Some("12:00:20")), "while it goes on, as usual");
    assert!(is_read("11:59:40", "11:59:20", Some("11:59:50")), "nobody has seen its end, and its time is over");
    assert!(!is_read("11:59:51", "11:59:20", Some("11:59:50")), "after its time");
    assert!(is_read("11:59:51", "11:59:52", None), "a page has seen its end");
    assert!(!is_read("11:59:53", "11:59:52", None), "after its end");
}

#[test]
fn an_account_that_fails_keeps_its_rows_and_their_time() {
    let known = vec![connection("conn_1", "7"), connection("conn_2", "8")];
    let parts = vec![campaigns_part(at("11:50:00"), &[active("beta_7_1")])];
    let mut kept = KeptOverview { parts, ..KeptOverview::default() };
    kept.parts[0].take(at("12:00:00"), &Err("Meta is throttling.".to_owned()));
    let waiting = vec![(OverviewPart::Campaigns, "conn_2".to_owned())];
    let KnownAccounts { accounts, rows } = KnownAccounts::of(&known, &kept, &waiting, at("12:00:00"));
    let problem = accounts[0].problem.as_deref();
    assert_eq!((accounts[0].read_at, problem), (Some(at("11:50:00")), Some("Meta is throttling.")));
    assert_eq!((accounts[1].read_at, accounts[1].is_waiting, accounts[0].is_waiting), (None, true, false));
    assert_eq!((rows.len(), rows[0].account.as_str()), (1, "Harbour Coffee"));
    assert_eq!((&rows[0].numbers, accounts[0].spend), (&RecentNumbers::UNKNOWN, None), "nothing is known of its days");
    kept.parts[0].take(at("12:02:00"), &Ok(KeptCampaigns::write([].iter(), false)));
    assert_eq!(kept.parts[0].problem, None);
}

#[test]
fn what_another_release_has_kept_counts_as_never_read() {
    let known = vec![connection("conn_1", "7")];
    let of_another = |what| part(what, at("11:59:59"), "[]".to_owned());
    let parts = vec![of_another(OverviewPart::Campaigns), of_another(OverviewPart::Days)];
    let mut kept = KeptOverview { parts, ..KeptOverview::default() };
    let now = at("12:00:00");
    let asked = |kept: &KeptOverview| -> Vec<OverviewPart> {
        tasks(&known, kept, &[], ReadMode::Usual, now).into_iter().map(|task| task.part).collect()
    };
    assert_eq!(asked(&kept), [OverviewPart::Campaigns, OverviewPart::Days]);
    let KnownAccounts { accounts, rows } = KnownAccounts::of(&known, &kept, &Vec::new(), now);
    assert_eq!((accounts[0].read_at, accounts[0].spend, rows.len()), (None, None, 0));
    kept.parts.iter_mut().for_each(|part| part.take(now, &Err("Meta is throttling.".to_owned())));
    assert_eq!(asked(&kept), [], "a failure is not tried again at once");
}

#[test]
fn a_change_is_shown_until_a_later_reading_tells_it() {
    let known = vec![connection("conn_1", "7")];
    let campaigns = ["beta_7_1", "beta_7_2", "beta_7_3"].map(active);
    let paused = CampaignSummary {
        name: "Summer".to_owned(),
        budget_amount: Some(Decimal::new(75, 1)),
        ..campaign("beta_7_1", CampaignStatus::Paused)
    };
    let change = |id: &str, values| {
        let campaign = Some(id.to_owned());
        KeptChange { campaign, values, ..KeptChange::of_any(at("12:00:00")) }
    };
    let changes =
        vec![change("beta_7_1", kept::values(&paused)), change("beta_7_2", kept::removed()), change("beta_7_3", None)];
    let shown = |read: &str| -> Vec<CampaignSummary> {
        let kept = KeptOverview { parts: vec![campaigns_part(at(read), &campaigns)], changes: changes.clone() };
        KnownAccounts::of(&known, &kept, &Vec::new(), at("12:00:00")).rows.into_iter().map(|row| row.campaign).collect()
    };
    assert_eq!(shown("12:00:00"), [paused.clone(), campaigns[2].clone()], "what has become of the last is not known");
    assert_eq!(shown("12:00:01"), campaigns, "the platform knows better by now");
}

#[test]
fn days_are_those_of_the_reports_and_no_row_is_no_spend() {
    let kept = KeptOverview {
        parts: vec![
            campaigns_part(at("03:00:00"), &["beta_7_1", "beta_7_2", "beta_7_3"].map(active)),
            days_part(
                at("03:00:00"),
                vec![
                    row("beta_7_1", "2026-11-23", Some(150)),
                    row("beta_7_1", "2026-11-22", Some(10)),
                    row("beta_7_1", "2026-11-15", Some(20)),
                    row("beta_7_1", "2026-11-09", Some(40)),
                    row("beta_7_2", "2026-11-21", Some(70)),
                    row("beta_7_2", "2026-11-20", None),
                ],
            ),
        ],
        changes: Vec::new(),
    };
    let shown = |zone: &str, now: &str| -> Vec<String> {
        let connections = [Connection { time_zone: Some(zone.to_owned()), ..connection("conn_1", "7") }];
        let rows = KnownAccounts::of(&connections, &kept, &Vec::new(), at(now)).rows;
        let text = |total: Total| total.text(|sum| sum.normalize().to_string());
        let shown = |row: CampaignRow| {
            let RecentSpend { today, week, week_before } = row.numbers.spend;
            format!("{} {} {} {}", text(today), text(week), text(week_before), text(row.numbers.week.clicks))
        };
        rows.into_iter().map(shown).collect()
    };
    let utc = ["1.5 0.1 0.6 1", "0 at least 0.7 0 2", "0 0 0 0"];
    assert_eq!(shown("UTC", "03:00:00"), utc, "the platform lacks a number");
    let west = ["0.1 0.2 at least 0.4 1", "0 at least 0.7 – 2", "0 0 – 0"];
    assert_eq!(shown("America/New_York", "03:00:00"), west, "there it is the day before, and its first was not read");
    let later = ["– at least 1.6 0.2 at least 2", "– at least 0.7 0 at least 2", "– – 0 –"];
    assert_eq!(shown("Pacific/Auckland", "12:00:00"), later, "a day has begun since, and yesterday was not over");
}

#[test]
fn currencies_are_never_added_and_an_unknown_part_is_a_lower_bound() {
    let row = |id: &str, status, code: &str, week: Option<i64>| {
        let campaign = CampaignSummary { currency: currency(code), ..campaign(id, status) };
        let spend = RecentSpend { week: Total::of(week.map(Decimal::from)), ..RecentSpend::UNKNOWN };
        CampaignRow {
            numbers: RecentNumbers { spend, ..RecentNumbers::UNKNOWN },
            ..CampaignRow::without_numbers(campaign)
        }
    };
    let rows = vec![
        row("beta_7_a", CampaignStatus::Active, "USD", Some(3)),
        row("beta_7_b", CampaignStatus::Paused, "USD", Some(4)),
        row("beta_7_c", CampaignStatus::Active, "EUR", Some(9)),
        row("beta_7_d", CampaignStatus::Draft, "USD", None),
    ];
    let account = |code: Option<&str>, week: Option<Total>| AccountState {
        currency: code.map(currency),
        spend: week.map(|week| RecentSpend { week, ..RecentSpend::UNKNOWN }),
        has_numbers: true,
        ..AccountState::default()
    };
    let weeks = |more: Vec<AccountState>| -> Vec<String> {
        let known = [account(Some("USD"), Some(whole(5).lower_bound())), account(Some("EUR"), Some(whole(9)))];
        let known = known.into_iter().chain([account(Some("USD"), Some(whole(2)))]);
        let overview = Overview { rows: rows.clone(), accounts: known.chain(more).collect(), ..Overview::default() };
        let week =
            |(code, spend): (Currency, RecentSpend)| format!("{code:?} {}", spend.week.text(|sum| sum.to_string()));
        overview.totals().into_iter().map(week).collect()
    };
    assert_eq!(weeks(vec![]), ["USD at least 7", "EUR 9"]);
    assert_eq!(weeks(vec![account(Some("JPY"), Some(whole(1)))]), ["USD at least 7", "EUR 9", "JPY 1"], "removed ones");
    assert_eq!(weeks(vec![account(Some("EUR"), None)]), ["USD at least 7", "EUR at least 9"]);
    assert_eq!(weeks(vec![account(None, None)]), ["USD at least 7", "EUR at least 9"], "it may be in any currency");
    let overview = Overview { rows, ..Overview::default() };
    let counts = overview.counts();
    assert_eq!((counts.active, counts.paused, counts.other), (2, 1, 1));
    let top = overview.top(currency("USD"), 5).into_iter().map(|row| row.campaign.id.to_string());
    assert_eq!(top.collect::<Vec<_>>(), ["beta_7_b", "beta_7_a"]);
}

#[test]
fn a_row_has_its_share_of_the_budget() {
    let mut row = CampaignRow::without_numbers(active("beta_7_1"));
    assert_eq!(row.pace(), None);
    row.campaign.budget_amount = Some(Decimal::from(40));
    let spend = RecentSpend { today: whole(10), week: whole(10), ..RecentSpend::UNKNOWN };
    row.numbers = RecentNumbers { spend, ..RecentNumbers::UNKNOWN };
    let text = |row: &CampaignRow| row.pace().map(Pace::text);
    assert_eq!(text(&row).as_deref(), Some("25%"));
    row.campaign.budget_period = Some(BudgetPeriod::Lifetime);
    assert_eq!(text(&row), None);
    row.campaign.budget_period = Some(BudgetPeriod::Daily);
    row.numbers.spend.today = whole(50).lower_bound();
    assert_eq!(text(&row).as_deref(), Some("at least 125%"));
    assert!(row.is_too_fast(at("12:00:00")));
    row.campaign.status = CampaignStatus::Paused;
    assert!(!row.is_too_fast(at("12:00:00")), "it spends no more");
}

#[test]
fn what_a_removed_campaign_has_spent_stays_in_the_sums() {
    let now = at("12:00:00");
    let spent = [("beta_7_1", 500), ("beta_7_2", 250)].map(|(id, spend)| row(id, "2026-11-20", Some(spend)));
    let kept = KeptOverview {
        parts: vec![campaigns_part(now, &[active("beta_7_1")]), days_part(now, spent.into())],
        changes: Vec::new(),
    };
    let KnownAccounts { rows, accounts } = KnownAccounts::of(&[connection("conn_1", "7")], &kept, &Vec::new(), now);
    assert_eq!(rows.len(), 1);
    let overview = Overview { rows, accounts, ..Overview::default() };
    let totals = overview.totals();
    assert_eq!((totals.len(), totals[0].1.week.exact()), (1, Some(Decimal::new(75, 1))));
}
