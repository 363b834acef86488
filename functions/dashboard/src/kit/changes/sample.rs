//! Changes for tests, in dollars, asked for on 1 December 2026 at 09:00 by a person without an address.

use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use shared::domain::{
    Action, Attempt, BudgetPeriod, CampaignChanges, CampaignDraft, CampaignId, CampaignValues, Change, ChangeId,
    ChangeOrigin, ChangeTarget, ConnectionId, Currency, CustomerId, Goal, NewCampaign, PersonId, Platform, Requester,
};
use uuid::Uuid;

pub(crate) fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

/// The time of the changes, at which they are being sent.
pub(crate) fn now() -> Timestamp {
    at("2026-12-01T09:00:00Z")
}

pub(crate) fn person(email: Option<&str>) -> Requester {
    Requester::Person { id: PersonId("p".to_owned()), email: email.map(str::to_owned) }
}

/// A change of a campaign of Google Ads.
pub(crate) fn change(action: Action) -> Change {
    let target = ChangeTarget {
        customer: CustomerId(Uuid::nil()),
        platform: Platform::Alpha,
        account_id: "1".to_owned(),
        connection: ConnectionId("conn_1".to_owned()),
        currency: Currency::from_code("USD").unwrap(),
        campaign: CampaignId::parse("alpha_1_2"),
        external_ref: None,
    };
    let origin = ChangeOrigin::new(Uuid::nil(), person(None));
    let attempt = Attempt { number: 1, at: now(), until: now() + SignedDuration::from_secs(30) };
    Change::immediate(ChangeId::new(now(), Uuid::nil(), 0), target, origin, action, attempt)
}

pub(crate) fn update(changes: CampaignChanges) -> Change {
    change(Action::Update(changes))
}

pub(crate) fn create(draft: CampaignDraft) -> Change {
    let new = NewCampaign { draft, held_start_at: None, held_end_at: None, monthly: None };
    change(Action::Create(new))
}

/// A new campaign with 1,500 for its whole run.
pub(crate) fn draft(name: &str) -> CampaignDraft {
    CampaignDraft::new(name.to_owned(), Goal::Leads, Decimal::from(1_500), BudgetPeriod::Lifetime)
}

/// A paused campaign with 50 a day.
pub(crate) fn values(name: &str) -> CampaignValues {
    let draft = CampaignDraft::new(name.to_owned(), Goal::Leads, Decimal::from(50), BudgetPeriod::Daily);
    CampaignValues::of_draft(&draft, Currency::from_code("USD").unwrap())
}
