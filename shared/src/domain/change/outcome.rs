//! The state of a change, and the campaign before and after it.

use crate::domain::{
    AmountAsText, BudgetPeriod, Campaign, CampaignDraft, CampaignStatus, Currency, PlatformCampaign, Reason, Statement,
};
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as, skip_serializing_none};

/// The stored state of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeState {
    /// It waits for its time.
    Scheduled,
    /// It waits for a person to approve it.
    AwaitingApproval,
    /// It may have been sent: its platform may have it or not.
    Sending,
    /// All of it was applied.
    Applied,
    /// A part was applied.
    PartlyApplied(ChangeError),
    /// Nothing was applied.
    Failed(ChangeError),
    /// It was canceled before anything was sent. The error says why, unless a caller asked for it.
    Canceled(Option<ChangeError>),
    /// A person has rejected it. The error says who.
    Rejected(ChangeError),
    /// Nobody approved it in time.
    Expired,
}

impl ChangeState {
    /// Why all or a part of the change was not applied.
    pub fn error(&self) -> Option<&ChangeError> {
        match self {
            ChangeState::Scheduled
            | ChangeState::AwaitingApproval
            | ChangeState::Sending
            | ChangeState::Applied
            | ChangeState::Expired => None,
            ChangeState::PartlyApplied(error) | ChangeState::Failed(error) | ChangeState::Rejected(error) => {
                Some(error)
            }
            ChangeState::Canceled(reason) => reason.as_ref(),
        }
    }

    /// Whether the change was sent to its platform, or may have been.
    pub fn is_sent(&self) -> bool {
        match self {
            ChangeState::Sending | ChangeState::Applied | ChangeState::PartlyApplied(_) | ChangeState::Failed(_) => {
                true
            }
            ChangeState::Scheduled
            | ChangeState::AwaitingApproval
            | ChangeState::Canceled(_)
            | ChangeState::Rejected(_)
            | ChangeState::Expired => false,
        }
    }
}

/// Why a change was not applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeError {
    /// Code of the API, in the enveloped shape.
    pub code: String,
    /// Reason of the API; `None` in a record from before reasons existed.
    pub reason: Option<Reason>,
    /// Message for the caller.
    pub message: Statement,
    /// Whether the platform refused the content of the change, so that the same would be refused again.
    pub is_refusal: bool,
    /// Code from the platform.
    pub platform_code: Option<String>,
    /// Message from the platform.
    pub platform_message: Option<String>,
    /// The field of our request, or the platform's name for it.
    pub field: Option<String>,
}

impl ChangeError {
    /// Why a change that somebody canceled is applied in part.
    pub fn canceled_in_part() -> ChangeError {
        ChangeError {
            code: "CONFLICT".to_owned(),
            reason: Some(Reason::PartlyApplied),
            message: "It was canceled after its platform had taken a part of it. The campaign shows which.".into(),
            ..ChangeError::default()
        }
    }
}

/// What a change can change of a campaign.
#[serde_as]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignValues {
    pub name: String,
    #[serde_as(as = "DisplayFromStr")]
    pub status: CampaignStatus,
    /// Budget in major units of the currency; `None` for a campaign without its own budget.
    #[serde_as(as = "Option<AmountAsText>")]
    pub budget_amount: Option<Decimal>,
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub budget_period: Option<BudgetPeriod>,
    /// Currency of the ad account.
    pub currency: Currency,
    /// Start and end, where the platform has them.
    pub start_at: Option<Timestamp>,
    pub end_at: Option<Timestamp>,
}

impl CampaignValues {
    /// The values of a campaign as its platform reports it.
    pub fn of(campaign: &PlatformCampaign) -> CampaignValues {
        CampaignValues {
            name: campaign.name.clone(),
            status: campaign.status,
            budget_amount: campaign.budget_amount,
            budget_period: campaign.budget_period,
            currency: campaign.currency,
            start_at: campaign.start_at,
            end_at: campaign.end_at,
        }
    }

    /// The values of a campaign as the API shows it: with the dates and the monthly budget that the service holds.
    pub fn shown(campaign: &Campaign) -> CampaignValues {
        CampaignValues {
            name: campaign.name.clone(),
            status: campaign.status,
            budget_amount: campaign.budget_amount,
            budget_period: campaign.budget_period,
            currency: campaign.currency,
            start_at: campaign.start_at,
            end_at: campaign.end_at,
        }
    }

    /// Whether these are the name, without surrounding spaces, and the budget of a draft.
    pub fn are_of_draft(&self, draft: &CampaignDraft) -> bool {
        self.name.trim() == draft.name.trim()
            && self.budget_amount == Some(draft.budget_amount)
            && self.budget_period.is_some_and(|period| period.means(draft.budget_period))
    }

    /// The values of the paused campaign that a draft describes.
    pub fn of_draft(draft: &CampaignDraft, currency: Currency) -> CampaignValues {
        CampaignValues {
            name: draft.name.clone(),
            status: CampaignStatus::Paused,
            budget_amount: Some(draft.budget_amount),
            budget_period: Some(draft.budget_period),
            currency,
            start_at: None,
            end_at: None,
        }
    }
}
