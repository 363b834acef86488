//! All pages show the same of the same ad accounts: the list of campaigns, the first page, the tabs of insights and
//! their file. The accounts are random: their platforms, time zones and currencies, what their campaigns did, and what
//! cannot be read of them.

use crate::client::accounts::tests::known;
use crate::client::accounts::{Connection, ConnectionError};
use crate::client::api::Refusal;
use crate::client::readings::samples::insights;
use crate::client::readings::tests::{SampleAccount, overview};
use crate::client::readings::{ListEnd, Overview, PlatformAnswer, Reading};
use crate::kit::campaign::CampaignSummary;
use crate::kit::campaign::tests::campaign;
use crate::kit::ratio::change;
use crate::kit::total::Total;
use crate::pages::insights::tests::{Shown, ShownLine};
use crate::pages::{campaigns, home, insights as insights_page};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use rust_decimal::Decimal;
use shared::domain::{CampaignId, CampaignStatus, ConnectionId, Currency, Days, InsightsRow, Platform};
use shared::error::{Error, Kind};

/// Random accounts that are compared.
const WORLDS: u64 = 400;
const CURRENCIES: [&str; 3] = ["USD", "JPY", "KWD"];
const ZONES: [&str; 4] = ["UTC", "Asia/Tokyo", "America/New_York", "Pacific/Auckland"];
const TIMES: [&str; 3] = ["2026-11-23T03:00:00Z", "2026-11-23T12:00:00Z", "2026-11-23T23:30:00Z"];

/// A generator of numbers that repeats itself for a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        let count = u64::try_from(all.len()).unwrap();
        all[usize::try_from(self.below(count)).unwrap()]
    }

    fn count(&mut self, below: u64) -> i64 {
        i64::try_from(self.below(below)).unwrap()
    }
}

/// Ad accounts, and what their platforms report of them.
struct World {
    now: Timestamp,
    accounts: Vec<SampleAccount>,
    /// Platforms that refuse every request.
    refused: Vec<Platform>,
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random(seed);
        let now: Timestamp = random.one_of(&TIMES).parse().unwrap();
        let platforms = [random.one_of(&Platform::ALL), random.one_of(&Platform::ALL), random.one_of(&Platform::ALL)];
        let refused: Vec<Platform> = platforms.into_iter().filter(|_| random.once_in(8)).collect();
        let cut: Vec<Platform> = platforms.into_iter().filter(|_| random.once_in(6)).collect();
        let count = 1 + random.below(6);
        let account = |number: u64| {
            let platform = random.one_of(&platforms);
            let mut told = account(&mut random, platform, number, now);
            told.is_cut = cut.contains(&platform);
            if told.is_cut {
                // The last rows of each account are on a page that nobody has read.
                told.rows.iter_mut().for_each(|rows| rows.truncate(rows.len() / 2));
            }
            if refused.contains(&platform) || random.once_in(8) {
                told.rows = None;
            }
            told
        };
        World { now, accounts: (0..count).map(account).collect(), refused }
    }

    /// What connections of a platform report of some days, as the API lists it.
    fn answer(&self, connections: &[&Connection], days: Days) -> PlatformAnswer {
        let platform = connections[0].platform;
        if self.refused.contains(&platform) {
            let message = "Too many requests.".to_owned();
            let refusal =
                Refusal { status: 429, message, details: Vec::new(), reason: None, request_id: String::new() };
            return PlatformAnswer::of(Vec::new(), ListEnd { refusal: Some(refusal), ..ListEnd::default() });
        }
        let asked = || self.accounts.iter().filter(|told| connections.iter().any(|one| one.id == told.connection.id));
        let part = |told: &SampleAccount| {
            let rows = told.rows.as_ref()?.iter().filter(|row| row.date.is_some_and(|day| days.contains(day)));
            Some(Reading::of(insights(&told.connection.remote_account_id, rows.cloned().collect()), days))
        };
        let error = |told: &SampleAccount| {
            let error = Error::new(Kind::PlatformFailed, "It does not answer.");
            ConnectionError::new(platform, told.connection.id.clone(), &error)
        };
        let errors = asked().filter(|told| told.rows.is_none()).map(error).collect();
        let is_cut = asked().any(|told| told.is_cut);
        PlatformAnswer::of(asked().filter_map(part).collect(), ListEnd { errors, refusal: None, is_cut })
    }
}

/// An account with some campaigns, of which some are removed.
fn account(random: &mut Random, platform: Platform, number: u64, now: Timestamp) -> SampleAccount {
    let currency = Currency::from_code(random.one_of(&CURRENCIES));
    let connection = Connection {
        id: ConnectionId(format!("conn_{number}")),
        currency,
        time_zone: Some(random.one_of(&ZONES).to_owned()),
        ..known(platform.as_str(), &number.to_string())
    };
    let ids: Vec<CampaignId> = (0..random.below(4))
        .map(|campaign| CampaignId::new(platform, &number.to_string(), &campaign.to_string()))
        .collect();
    let summary = |id: &CampaignId| CampaignSummary {
        currency: currency.unwrap(),
        ..campaign(&id.to_string(), CampaignStatus::Active)
    };
    let campaigns = ids.iter().filter(|_| !random.once_in(4)).map(summary).collect();
    let today = TimeZone::UTC.to_datetime(now).date();
    let rows = ids.iter().flat_map(|id| rows(random, id, today)).collect();
    SampleAccount { connection, campaigns, rows: Some(rows), is_cut: false }
}

/// The rows of a campaign in the last days. Some lack a number, and some are corrections.
fn rows(random: &mut Random, id: &CampaignId, today: Date) -> Vec<InsightsRow> {
    let is_idle = random.once_in(4);
    let days = (-1_i64..20).filter(|_| !is_idle && !random.once_in(3)).collect::<Vec<_>>();
    let row = |back: i64| InsightsRow {
        campaign: id.clone(),
        date: Some(today.saturating_sub(back.days())),
        spend: (!random.once_in(12)).then(|| Decimal::new(random.count(100_000) - 2_000, 2)),
        impressions: (!random.once_in(12)).then(|| random.count(1_000)),
        clicks: (!random.once_in(12)).then(|| random.count(100)),
        conversions: random.once_in(2).then(|| Decimal::new(random.count(100), 1)),
        conversion_value: None,
        unreadable: Vec::new(),
    };
    days.into_iter().map(row).collect()
}

/// The sum of the rows of a tab in a currency.
fn sum(lines: &[ShownLine], currency: Currency) -> Total {
    let mut sum = Total::default();
    lines.iter().filter(|line| line.currency == currency).for_each(|line| sum.add(line.spend));
    sum
}

/// What an unknown or an empty sum is next to others.
fn amount(total: Total) -> Decimal {
    total.known().unwrap_or_default()
}

/// Whether a text says that nothing was spent, or that nobody knows.
fn says_nothing(shown: &str) -> bool {
    ["–", "0", "0.00", "0.000"].contains(&shown)
}

#[test]
fn all_pages_tell_the_same_of_random_accounts() {
    for seed in 0..WORLDS {
        let world = World::new(seed);
        let overview = overview(&world.accounts, world.now);
        let connections: Vec<Connection> = world.accounts.iter().map(|told| told.connection.clone()).collect();
        let insights = insights_page::tests::shown(&connections, world.now, |own, days| world.answer(own, days));
        the_totals_agree(seed, &world, &overview, &insights);
        the_rows_agree(seed, &world, &overview, &insights);
    }
}

/// The totals of the list, of the first page, of insights and of each tab.
fn the_totals_agree(seed: u64, world: &World, overview: &Overview, insights: &Shown) {
    let list = campaigns::list_tests::shown(overview, world.now);
    let home = home::weeks(overview, world.now);
    if !overview.rows.is_empty() {
        assert_eq!(list.totals, home, "{seed}: the list and the first page");
    }
    let totals = overview.totals();
    assert_eq!(totals.len(), home.len(), "{seed}");
    for ((currency, spend), shown) in totals.iter().zip(&home) {
        for tab in &insights.tabs {
            assert_eq!(amount(sum(tab, *currency)), amount(spend.week), "{seed}: a tab in {currency:?}");
        }
        let code = format!(" {}", currency.code());
        match insights.totals.iter().find(|(total, _)| total.ends_with(&code)) {
            Some((total, difference)) => {
                assert_eq!(total, shown, "{seed}: insights and the first page");
                let week_before = spend.week_before.exact();
                assert_eq!(*difference, change(spend.week.exact(), week_before), "{seed}: the week before");
            }
            None => assert!(says_nothing(shown.strip_suffix(&code).unwrap()), "{seed}: only here: {shown}"),
        }
    }
    for (total, _) in &insights.totals {
        assert!(home.contains(total), "{seed}: only in insights: {total}");
    }
}

/// The campaigns of the list and of insights, and the rows of each tab and of its file.
fn the_rows_agree(seed: u64, world: &World, overview: &Overview, insights: &Shown) {
    let [_, _, of_campaigns] = &insights.tabs;
    for (id, shown) in campaigns::list_tests::shown(overview, world.now).campaigns {
        match of_campaigns.iter().find(|line| line.campaign.as_ref() == Some(&id)) {
            Some(line) => assert_eq!(line.cell, shown, "{seed}: {id}"),
            None => assert!(says_nothing(&shown), "{seed}: only in the list: {id} {shown}"),
        }
    }
    for line in insights.tabs.iter().flatten() {
        // A column of the file says what is a lower bound.
        let number = line.cell.strip_prefix("at least ").unwrap_or(&line.cell);
        let cell = if number == "–" { String::new() } else { number.replace(',', "") };
        assert_eq!(line.in_file, cell, "{seed}: the file");
    }
}
