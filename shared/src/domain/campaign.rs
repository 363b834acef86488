//! Campaigns as the service sees them, whatever platform they live on.

use super::{Currency, Moment, Platform};
use jiff::Timestamp;
use rust_decimal::Decimal;
use std::fmt;

/// Identifies a campaign: `{platform}_{account}_{remote id}`, word characters only.
///
/// It needs no look-up to resolve, and holds for campaigns that were made outside the service too.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CampaignId {
    platform: Platform,
    /// `{account}_{remote id}`. Where the account ends is known only beside the customer's connections,
    /// because both parts may contain an underscore.
    rest: String,
}

impl CampaignId {
    /// The id of a campaign in an account.
    pub fn new(platform: Platform, account_id: &str, remote_id: &str) -> CampaignId {
        CampaignId { platform, rest: format!("{account_id}_{remote_id}") }
    }

    /// Reads the text form; `None` for anything else.
    pub fn parse(text: &str) -> Option<CampaignId> {
        let platform = Platform::ALL
            .into_iter()
            .find(|platform| text.strip_prefix(platform.prefix()).is_some_and(|rest| rest.starts_with('_')))?;
        let rest = text.get(platform.prefix().len() + 1..)?;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        (rest.contains('_') && rest.len() <= 200 && rest.bytes().all(is_word))
            .then(|| CampaignId { platform, rest: rest.to_owned() })
    }

    /// The platform the campaign lives on.
    pub fn platform(&self) -> Platform {
        self.platform
    }

    /// The campaign's id on the platform, if it lives in this account.
    pub fn remote_in(&self, account_id: &str) -> Option<&str> {
        let remote = self.rest.strip_prefix(account_id)?.strip_prefix('_')?;
        (!remote.is_empty()).then_some(remote)
    }
}

impl fmt::Display for CampaignId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.platform.prefix(), self.rest)
    }
}

/// What a campaign is for: the values of both shapes, which overlap (spec 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Flat AWARENESS, enveloped BRAND_AWARENESS.
    BrandAwareness,
    /// Enveloped only; reads as AWARENESS in the flat shape.
    Reach,
    /// Flat TRAFFIC, enveloped WEBSITE_TRAFFIC.
    WebsiteTraffic,
    /// LEADS in both.
    Leads,
    /// SALES in both.
    Sales,
    /// Flat only; reads as SALES in the enveloped shape.
    Conversions,
    /// Enveloped only.
    AppPromotion,
}

impl Goal {
    /// Every goal.
    pub const ALL: [Goal; 7] = [
        Goal::BrandAwareness,
        Goal::Reach,
        Goal::WebsiteTraffic,
        Goal::Leads,
        Goal::Sales,
        Goal::Conversions,
        Goal::AppPromotion,
    ];

    /// The goal in plain words, for messages: neither shape's spelling.
    pub fn plain(self) -> &'static str {
        match self {
            Goal::BrandAwareness => "awareness",
            Goal::Reach => "reach",
            Goal::WebsiteTraffic => "traffic",
            Goal::Leads => "leads",
            Goal::Sales => "sales",
            Goal::Conversions => "conversions",
            Goal::AppPromotion => "app promotion",
        }
    }
}

/// State of a campaign: the values of both shapes, by the advertiser's own switch (spec 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CampaignStatus {
    /// Switched on.
    Active,
    /// Switched off.
    Paused,
    /// Switched on, and its end has passed. Read, never written.
    Ended,
    /// Not launched yet. Read, never written.
    Draft,
    /// Removed or archived: final.
    Archived,
    /// The platform will remove it: final.
    ScheduledForDeletion,
    /// The platform says something that has no name here.
    Unspecified,
}

impl CampaignStatus {
    /// Every status.
    pub const ALL: [CampaignStatus; 7] = [
        CampaignStatus::Active,
        CampaignStatus::Paused,
        CampaignStatus::Ended,
        CampaignStatus::Draft,
        CampaignStatus::Archived,
        CampaignStatus::ScheduledForDeletion,
        CampaignStatus::Unspecified,
    ];

    /// Whether nothing leads out of it.
    pub fn is_final(self) -> bool {
        matches!(self, CampaignStatus::Archived | CampaignStatus::ScheduledForDeletion)
    }
}

/// What the budget amount is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetPeriod {
    /// Each day.
    Daily,
    /// Each month.
    Monthly,
    /// The whole run of the campaign, in the words of the enveloped shape.
    Total,
    /// The whole run of the campaign, in the words of both shapes.
    Lifetime,
}

impl BudgetPeriod {
    /// Every period.
    pub const ALL: [BudgetPeriod; 4] =
        [BudgetPeriod::Daily, BudgetPeriod::Monthly, BudgetPeriod::Total, BudgetPeriod::Lifetime];

    /// Whether the two name the same thing: TOTAL and LIFETIME do.
    pub fn means(self, other: BudgetPeriod) -> bool {
        self == other || (self.is_whole_run() && other.is_whole_run())
    }

    /// Whether the amount is for the whole run of the campaign.
    pub fn is_whole_run(self) -> bool {
        matches!(self, BudgetPeriod::Total | BudgetPeriod::Lifetime)
    }

    /// The word, the same in both shapes: `DAILY`.
    pub fn as_str(self) -> &'static str {
        match self {
            BudgetPeriod::Daily => "DAILY",
            BudgetPeriod::Monthly => "MONTHLY",
            BudgetPeriod::Total => "TOTAL",
            BudgetPeriod::Lifetime => "LIFETIME",
        }
    }
}

/// A campaign as its platform has it, with what our own record adds (spec 2.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Campaign {
    /// Service's identifier.
    pub id: CampaignId,
    /// Ad account on the platform (`organization_id`).
    pub account_id: String,
    /// Identifier on the platform.
    pub remote_id: String,
    /// Name.
    pub name: String,
    /// State.
    pub status: CampaignStatus,
    /// What it is for; `None` where the platform says nothing that maps.
    pub goal: Option<Goal>,
    /// Budget in major units of the currency; `None` where the campaign has none of its own.
    pub budget_amount: Option<Decimal>,
    /// What the amount is for; `None` where the platform says something that has no name here.
    pub budget_period: Option<BudgetPeriod>,
    /// The account's currency.
    pub currency: Currency,
    /// Spent so far, in major units; `None` where the platform was not asked.
    pub total_spend_amount: Option<Decimal>,
    /// Start.
    pub start_at: Option<Timestamp>,
    /// End.
    pub end_at: Option<Timestamp>,
    /// When it was made; `None` where nobody knows (a platform without timestamps, made elsewhere).
    pub created_at: Option<Timestamp>,
    /// When it was last changed through the service or by the platform's own word.
    pub updated_at: Option<Timestamp>,
    /// The platform's own JSON object for it, as received.
    pub raw: String,
}

impl Campaign {
    /// The platform it lives on.
    pub fn platform(&self) -> Platform {
        self.id.platform()
    }
}

/// A campaign that shall be made: validated, in one ad account, and PAUSED (spec 3.1).
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignDraft {
    /// Name, 1 to 255 characters.
    pub name: String,
    /// What it is for.
    pub goal: Goal,
    /// Greater than zero, in major units of the account's currency.
    pub budget_amount: Decimal,
    /// What the amount is for.
    pub budget_period: BudgetPeriod,
    /// Start; the platform's now when absent.
    pub start_at: Option<Moment>,
    /// End; none when absent.
    pub end_at: Option<Moment>,
}

/// What a PATCH changes; `None` leaves a field as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CampaignChanges {
    /// New name.
    pub name: Option<String>,
    /// New state.
    pub status: Option<CampaignStatus>,
    /// New amount, in major units of the account's currency.
    pub budget_amount: Option<Decimal>,
    /// New period.
    pub budget_period: Option<BudgetPeriod>,
}

impl CampaignChanges {
    /// Drops what the campaign already has, so that nothing is written that would change nothing.
    pub fn against(self, current: &Campaign) -> CampaignChanges {
        CampaignChanges {
            name: self.name.filter(|name| *name != current.name),
            status: self.status.filter(|status| *status != current.status),
            budget_amount: self.budget_amount.filter(|amount| Some(*amount) != current.budget_amount),
            budget_period: self
                .budget_period
                .filter(|period| !current.budget_period.is_some_and(|had| had.means(*period))),
        }
    }

    /// Whether nothing is left to change.
    pub fn is_empty(&self) -> bool {
        *self == CampaignChanges::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_comes_back_as_it_was_written() {
        let id = CampaignId::new(Platform::Zeta, "t2_abc", "99");
        let read = CampaignId::parse(&id.to_string()).unwrap();
        assert_eq!(read, id);
        assert_eq!(read.remote_in("t2_abc"), Some("99"));
        assert_eq!(read.remote_in("t2"), Some("abc_99"), "the account decides where it ends");
        assert_eq!(read.remote_in("t3"), None);
    }

    #[test]
    fn anything_else_is_no_id() {
        for text in ["", "camp_1", "alpha", "alpha_", "alpha_1", "alpha_1_2é", "alpha_1_2'", "ALPHA_1_2", "alphas_1_2"]
        {
            assert_eq!(CampaignId::parse(text), None, "{text}");
        }
    }
}
