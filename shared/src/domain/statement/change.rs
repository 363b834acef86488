//! What became of a change.

use super::Statement;
use crate::domain::maintenance_schedule::INTERVAL_TEXT;
use crate::domain::{CampaignId, Platform};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

/// What became of a change, or why nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangeStatement {
    /// It is not known whether a campaign was created. With a key it is safe to send the create again.
    #[serde(skip)]
    CreateUnknown { platform: Platform, name: String, request: Uuid, is_keyed: bool },
    /// A campaign was created that may be running.
    #[serde(skip)]
    CreatedActive { name: String, campaign: CampaignId, request: Uuid },
    /// Too many creates of one name have no outcome yet.
    OpenCreates { name: String, number: usize },
    /// It is not known whether these fields were applied.
    FieldsUnknown(Vec<String>),
    /// It is not known whether the campaign was removed.
    RemovalUnknown,
    /// An outcome cannot be found out, for this reason.
    NotNow(Statement),
    /// The monthly budget is spent.
    MonthSpent { until: Timestamp },
}

impl fmt::Display for ChangeStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChangeStatement::CreateUnknown { platform, name, request, is_keyed } => {
                let next_step = if *is_keyed {
                    "Send the same request again with the same Idempotency-Key; it creates nothing twice."
                } else {
                    "Do not send the create again before that page shows not_created."
                };
                write!(
                    f,
                    "It is not known yet whether {} created the campaign \"{name}\". The service usually finds out within \
                     {INTERVAL_TEXT}; see GET /v1/campaigns/intents/{request}. {next_step}",
                    platform.display_name()
                )
            }
            ChangeStatement::CreatedActive { name, campaign, request } => write!(
                f,
                "{} created the campaign \"{name}\" as active, and pausing it failed: it may be running. Its id is \
                 {campaign}. The service usually pauses it within {INTERVAL_TEXT}; see GET \
                 /v1/campaigns/intents/{request}. Do not create it again.",
                campaign.platform().display_name()
            ),
            ChangeStatement::OpenCreates { name, number } => write!(
                f,
                "{number} creates of the campaign \"{name}\" in this ad account have an unknown outcome. Nothing was sent. \
                 Wait until GET /v1/campaigns/intents/{{request_id}} shows their outcomes, or use another name."
            ),
            ChangeStatement::FieldsUnknown(fields) => {
                let which = if fields.len() == 1 { "whether this was applied" } else { "which of these were applied" };
                let fields = fields.join(", ");
                write!(
                    f,
                    "It is not known {which}: {fields}. It is safe to repeat the request: fields already applied are \
                     skipped."
                )
            }
            ChangeStatement::RemovalUnknown => f.write_str(
                "It is not known whether the campaign was removed. It is safe to repeat the request: 404 means that it \
                 was.",
            ),
            ChangeStatement::NotNow(reason) => write!(f, "This is not possible now: {reason}"),
            ChangeStatement::MonthSpent { until } => write!(
                f,
                "The campaign's monthly budget allows no more until {until:.0}. Raise budget_amount, and this service \
                 activates it itself unless somebody has paused it since: then activate it a minute later. Or send a DAILY \
                 budget_period with its amount first."
            ),
        }
    }
}
