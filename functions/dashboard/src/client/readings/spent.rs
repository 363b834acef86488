//! The spend and the results of the campaigns of some changes, for a person who decides on them. The numbers are those that
//! other pages keep. The page asks a platform only if the person wants newer numbers.

use super::kept::read_days;
use super::overview::{Overview, kept_overview};
use super::recent::RecentReading;
use super::refresh::{self, ReadMode, part_of};
use crate::client::accounts::Connection;
use crate::client::session::SignedIn;
use crate::kit::missing::age;
use crate::kit::money;
use crate::kit::numbers::Numbers;
use crate::kit::total::Total;
use jiff::Timestamp;
use rust_decimal::Decimal;
use shared::domain::{CampaignId, Change, ConnectionId, Currency};
use shared::serve::WebRequest;
use shared::store::{KeptOverview, OverviewPart};
use std::collections::BTreeMap;

/// What is kept of the ad accounts.
#[derive(Default)]
pub(crate) struct KeptSpend {
    kept: KeptOverview,
    now: Timestamp,
    /// The address that reads it anew.
    renew_path: String,
}

/// What the campaigns of some changes have spent, in the order of the changes.
#[derive(Default)]
pub(crate) struct SpentOfChanges {
    /// `None` for a campaign that is still to be created.
    pub(crate) campaigns: Vec<Option<Spent>>,
    /// `Read 3 minutes ago`, of the oldest; `None` if nothing is known of any.
    pub(crate) age: Option<String>,
    /// The address of the page with newer numbers.
    pub(crate) renew_path: String,
}

/// What a campaign has spent, for people. What is not known is a dash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spent {
    /// `36.49 USD`
    pub(crate) today: String,
    /// The same in the seven full days before today.
    pub(crate) week: String,
    /// `ROAS 2.50`, of the same days.
    pub(crate) result: String,
}

impl KeptSpend {
    /// Reads what is kept. Without the table nothing is, and the person can decide all the same.
    pub(crate) async fn read(request: &WebRequest, person: &SignedIn) -> KeptSpend {
        if ReadMode::of(request) != ReadMode::Usual
            && let Err(refusal) = Overview::read(request, person, None).await
        {
            tracing::warn!(message = refusal.message, "newer numbers were not read");
        }
        let kept = kept_overview(request, person.customer()).await;
        KeptSpend { kept, now: request.now, renew_path: refresh::address(request, refresh::ALL) }
    }

    /// What the campaigns of these changes have spent. The days of an account are parsed once.
    pub(crate) fn of(self, changes: &[Change], connections: &[Connection]) -> SpentOfChanges {
        let mut readings: BTreeMap<&ConnectionId, Option<(Timestamp, RecentReading)>> = BTreeMap::new();
        let mut oldest: Option<Timestamp> = None;
        let mut spent = |campaign: &CampaignId, currency: Currency| {
            let connection = connections.iter().find(|connection| connection.contains(campaign))?;
            let (at, recent) = readings.entry(&connection.id).or_insert_with(|| self.reading(connection)).as_ref()?;
            oldest = Some(oldest.map_or(*at, |oldest| oldest.min(*at)));
            let (today, week) = recent.today_and_week(campaign);
            Some(Spent::of(today.spend, &week, currency))
        };
        let of_change = |change: &Change| {
            let campaign = change.campaign.as_ref()?;
            Some(spent(campaign, change.currency).unwrap_or_else(|| Spent::unknown(change.currency)))
        };
        let campaigns = changes.iter().map(of_change).collect();
        let age = oldest.map(|at| format!("Updated {}", age(at, self.now)));
        SpentOfChanges { campaigns, age, renew_path: self.renew_path }
    }

    /// The reading of an account that is kept, and its time.
    fn reading(&self, connection: &Connection) -> Option<(Timestamp, RecentReading)> {
        let (at, json) = part_of(&self.kept, OverviewPart::Days, &connection.id.0)?.rows.as_ref()?;
        let reading = read_days(json, &connection.id)?;
        Some((*at, RecentReading::of(reading, connection.today(*at), connection.today(self.now))))
    }
}

impl SpentOfChanges {
    /// When it was read, and the address of newer numbers; `None` if no campaign can have spent.
    pub(crate) fn age_and_renewal(&self) -> Option<(String, String)> {
        let age = self.age.clone().unwrap_or_else(|| "Not updated yet".to_owned());
        self.campaigns.iter().any(Option::is_some).then(|| (age, self.renew_path.clone()))
    }
}

impl Spent {
    fn of(today: Total, week: &Numbers, currency: Currency) -> Spent {
        let amount = |total: Total| total.text(|amount| money::in_currency(amount, currency));
        Spent { today: amount(today), week: amount(week.spend), result: result(week, currency) }
    }

    fn unknown(currency: Currency) -> Spent {
        Spent::of(Total::UNKNOWN, &Numbers::UNKNOWN, currency)
    }
}

/// ROAS where what was sold has a value, else what a conversion has cost.
fn result(week: &Numbers, currency: Currency) -> String {
    let [.., cost, _, roas] = week.cells(currency.code());
    let is_some = |total: Total| total.known().is_some_and(|known| known > Decimal::ZERO);
    match (is_some(week.conversion_value), is_some(week.conversions)) {
        (true, _) => format!("ROAS {}", roas.text),
        (false, true) if cost.text != "–" => format!("Cost per conversion {} {}", cost.text, currency.code()),
        (false, true) => "Cost per conversion –".to_owned(),
        (false, false) if week.conversions.exact().is_some() => "No conversions".to_owned(),
        (false, false) => "ROAS –".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::kept::write_days;
    use super::super::reading::Reading;
    use super::super::reading::tests::{days, insights, row};
    use super::*;
    use crate::client::accounts::tests::known;
    use crate::kit::changes::sample::{create, draft, update};
    use shared::domain::CampaignChanges;
    use shared::store::KeptPart;

    fn connection() -> Connection {
        Connection { id: ConnectionId("conn_7".to_owned()), ..known("beta_ads", "7") }
    }

    fn change_of(campaign: &str) -> Change {
        Change { campaign: CampaignId::parse(campaign), ..update(CampaignChanges::default()) }
    }

    /// What is kept of the account, read at this time, two minutes before now.
    fn kept(read_at: &str) -> KeptSpend {
        let mut sold = row("beta_7_1", "2026-11-22", Some(10_000));
        sold.conversion_value = Some(Decimal::from(250));
        let rows = vec![sold, row("beta_7_1", "2026-11-23", Some(1_250)), row("beta_7_2", "2026-11-20", Some(500))];
        let reading = Reading::of(insights("7", rows), days("2026-11-09", "2026-11-23"));
        let at: Timestamp = read_at.parse().unwrap();
        let part = KeptPart {
            part: OverviewPart::Days,
            connection: "conn_7".to_owned(),
            tried_at: at,
            rows: Some((at, write_days(&reading))),
            problem: None,
        };
        let kept = KeptOverview { parts: vec![part], ..KeptOverview::default() };
        KeptSpend { kept, now: at + jiff::SignedDuration::from_mins(2), renew_path: String::new() }
    }

    fn shown(spent: Option<&Spent>) -> Option<[&str; 3]> {
        spent.map(|Spent { today, week, result }| [today.as_str(), week, result])
    }

    #[test]
    fn a_change_shows_what_its_campaign_has_spent_and_brought() {
        let changes = [change_of("beta_7_1"), change_of("beta_7_2"), change_of("beta_7_3"), change_of("beta_8_1")];
        let new = create(draft("New"));
        let changes = [&changes[..], &[Change { campaign: None, ..new }]].concat();
        let spent = kept("2026-11-23T12:00:00Z").of(&changes, &[connection()]);
        let all: Vec<_> = spent.campaigns.iter().map(|one| shown(one.as_ref())).collect();
        assert_eq!(
            all,
            [
                Some(["12.50 USD", "100.00 USD", "ROAS 2.50"]),
                Some(["0.00 USD", "5.00 USD", "Cost per conversion 2.00 USD"]),
                Some(["0.00 USD", "0.00 USD", "ROAS –"]),
                Some(["–", "–", "ROAS –"]),
                None,
            ]
        );
        assert_eq!(spent.age_and_renewal().map(|(age, _)| age).as_deref(), Some("Updated 2 minutes ago"));
        let new = kept("2026-11-23T12:00:00Z").of(&changes[4..], &[connection()]);
        assert_eq!(new.age_and_renewal(), None, "a new campaign");
    }

    #[test]
    fn without_a_reading_nothing_is_claimed() {
        let spent = KeptSpend::default().of(&[change_of("beta_7_1")], &[connection()]);
        assert_eq!(shown(spent.campaigns[0].as_ref()), Some(["–", "–", "ROAS –"]));
        assert_eq!(spent.age_and_renewal().map(|(age, _)| age).as_deref(), Some("Not updated yet"));
    }

    #[test]
    fn a_campaign_without_conversions_says_so() {
        let usd = Currency::from_code("USD").unwrap();
        let of = |amount: i64| Total::of(Some(Decimal::from(amount)));
        let week =
            |conversions, value| Numbers { spend: of(10), conversions, conversion_value: value, ..Numbers::UNKNOWN };
        for (conversions, value, words) in [
            (of(0), of(0), "No conversions"),
            (of(4), of(0), "Cost per conversion 2.50 USD"),
            (of(4), Total::UNKNOWN, "Cost per conversion 2.50 USD"),
            (of(4).lower_bound(), Total::UNKNOWN, "Cost per conversion at most 2.50 USD"),
            (Total::UNKNOWN, of(25).lower_bound(), "ROAS at least 2.50"),
            (Total::UNKNOWN, Total::UNKNOWN, "ROAS –"),
        ] {
            assert_eq!(result(&week(conversions, value), usd), words);
        }
    }
}
