//! Requests to create and update campaigns, independent of the shape.

use crate::domain::moment::{MomentError, instant_of};
use crate::domain::{AdAccount, CampaignChanges, CampaignDraft, Currency, DateChange, Moment, Platform, Reference};
use crate::error::Error;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use rust_decimal::Decimal;

/// Largest number of targets in a create request.
pub const MAX_TARGETS: usize = 10;

/// A create request. It is valid in itself, but not checked against an ad account yet.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateRequest {
    pub draft: CampaignDraft,
    /// Expected currency; must be the ad account's.
    pub currency: Option<Currency>,
    /// The caller's own reference.
    pub reference: Option<Reference>,
    pub targets: Targets,
}

/// The ad accounts of a create request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Targets {
    /// One ad account. The response is the campaign.
    One(Target),
    /// Several ad accounts (`targets`). The response has a result for each.
    Many(Vec<Target>),
}

impl Targets {
    /// The targets as a list.
    pub fn as_slice(&self) -> &[Target] {
        match self {
            Targets::One(target) => std::slice::from_ref(target),
            Targets::Many(several) => several,
        }
    }
}

/// An ad account of a create request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub platform: Platform,
    /// Selects one of the customer's connections on the platform.
    pub choice: AccountChoice,
    /// Its own budget; `None` for that of the request.
    pub budget_amount: Option<Decimal>,
    /// Expected currency; `None` for that of the request.
    pub currency: Option<Currency>,
    /// Its own reference; `None` for that of the request.
    pub reference: Option<Reference>,
}

impl Target {
    /// A target with the budget of the request.
    pub fn new(platform: Platform, choice: AccountChoice) -> Target {
        Target { platform, choice, budget_amount: None, currency: None, reference: None }
    }

    /// Whether both are in one ad account.
    pub fn is_in_account_of(&self, other: &Target) -> bool {
        (self.platform, &self.choice) == (other.platform, &other.choice)
    }
}

/// Selects the ad account that pays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountChoice {
    /// By ad account id (`organization_id`).
    Account(String),
    /// By connection id (`connection_id`).
    Connection(String),
    /// Not given. Valid only if exactly one connection is active.
    OnlyConnection,
}

/// The new dates of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateRequest {
    /// `None` keeps the start, and `Some(None)` takes it away.
    pub start_at: Option<Option<Moment>>,
    /// `None` keeps the end, and `Some(None)` takes it away.
    pub end_at: Option<Option<Moment>>,
}

/// An update request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateRequest {
    /// The changes, without dates.
    pub changes: CampaignChanges,
    pub dates: DateRequest,
    /// Expected currency; must be the ad account's.
    pub currency: Option<Currency>,
    /// Ad account that the caller expects the campaign in.
    pub organization_id: Option<String>,
    /// The caller's own reference.
    pub reference: Option<Reference>,
}

impl UpdateRequest {
    /// Refuses another currency than that of the campaign's ad account.
    pub fn check_currency(&self, account: &AdAccount) -> Result<(), Error> {
        require_currency(self.currency, account.currency)
    }

    /// The changes in the time zone of an ad account, where a plain date is a day.
    pub fn changes_in(&self, zone: &TimeZone) -> Result<CampaignChanges, Error> {
        let DateRequest { start_at, end_at } = self.dates;
        let start_at = date_change("start_at", start_at, |start| start.start_in(zone), zone)?;
        let end_at = date_change("end_at", end_at, |end| end.end_in(zone), zone)?;
        Ok(CampaignChanges { start_at, end_at, ..self.changes.clone() })
    }
}

fn require_currency(expected: Option<Currency>, currency: Currency) -> Result<(), Error> {
    if expected.is_none_or(|expected| expected == currency) {
        return Ok(());
    }
    let message = format!("must be the ad account's currency, {}; nothing is converted", currency.code());
    Err(Error::field("currency", message))
}

fn date_change(
    field: &str,
    requested: Option<Option<Moment>>,
    local: impl Fn(Moment) -> Result<DateTime, MomentError>,
    zone: &TimeZone,
) -> Result<Option<DateChange>, Error> {
    let Some(Some(moment)) = requested else { return Ok(requested.map(|_| DateChange::Clear)) };
    let at = local(moment).and_then(|local| instant_of(local, zone));
    at.map(|at| Some(DateChange::Set(at))).map_err(|error| Error::field(field, error.message()))
}

impl CreateRequest {
    /// The reference of a target.
    pub fn reference_of(&self, target: &Target) -> Option<Reference> {
        target.reference.as_ref().or(self.reference.as_ref()).cloned()
    }

    /// The campaign for the ad account of a target, whose currency it must fit.
    pub fn draft_for(&self, target: &Target, account: &AdAccount) -> Result<CampaignDraft, Error> {
        require_currency(target.currency.or(self.currency), account.currency)?;
        let budget_amount = target.budget_amount.unwrap_or(self.draft.budget_amount);
        Ok(CampaignDraft { budget_amount, ..self.draft.clone() })
    }
}
