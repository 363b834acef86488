//! The campaigns of an ad account as they are kept: JSON that fits into an item of the table.

use crate::client::campaign_json::{Campaign, MONTHLY, Pacing};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Most bytes of the rows of an account. An item of the table has at most 400 KB.
pub(super) const MAX_BYTES: usize = 350_000;

/// The campaigns of an account, in the order of the API.
#[derive(Debug, Default, Deserialize)]
pub(super) struct KeptCampaigns {
    pub(super) rows: Vec<Campaign>,
    /// There are more.
    pub(super) is_cut: bool,
}

#[derive(Serialize)]
struct Written {
    rows: Vec<Box<RawValue>>,
    is_cut: bool,
}

impl KeptCampaigns {
    /// Reads what was kept. What another release has kept in another form is nothing.
    pub(super) fn parse(json: &str) -> KeptCampaigns {
        serde_json::from_str(json).unwrap_or_default()
    }
}

/// The JSON of an account's campaigns, as many as fit.
pub(super) fn to_json<'a>(campaigns: impl Iterator<Item = &'a Campaign>, is_cut: bool) -> String {
    let (rows, is_full) = fitting(campaigns);
    serde_json::to_string(&Written { rows, is_cut: is_cut || is_full }).unwrap_or_default()
}

/// The JSON of the first rows that fit together, and whether some do not.
pub(super) fn fitting<T: Serialize>(rows: impl Iterator<Item = T>) -> (Vec<Box<RawValue>>, bool) {
    let (mut written, mut bytes) = (Vec::new(), 0);
    for row in rows {
        let Ok(row) = serde_json::value::to_raw_value(&row) else { continue };
        bytes += row.get().len() + 1;
        if bytes > MAX_BYTES {
            return (written, true);
        }
        written.push(row);
    }
    (written, false)
}

/// A campaign in the enveloped shape of the API.
#[derive(Deserialize)]
struct Enveloped {
    data: Changed,
}

/// What a change has made of a campaign.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Changed {
    name: Option<String>,
    status: Option<String>,
    budget_amount: Option<Box<RawValue>>,
    budget_period: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pacing: Option<Pacing>,
}

impl Changed {
    /// Reads the response to an update, in either shape.
    pub(super) fn read(body: &[u8]) -> Option<Changed> {
        let enveloped = serde_json::from_slice::<Enveloped>(body).map(|one| one.data);
        enveloped.or_else(|_| serde_json::from_slice(body)).ok()
    }

    /// A campaign that is removed.
    pub(super) fn removed() -> Changed {
        Changed { status: Some("REMOVED".to_owned()), ..Changed::default() }
    }

    /// The campaign with its new values; `None` if it is removed.
    pub(super) fn applied(self, mut campaign: Campaign) -> Option<Campaign> {
        let Changed { name, status, budget_amount, budget_period, pacing } = self;
        match status.as_deref() {
            Some("REMOVED") => return None,
            // The shape of the list has no name for an ended campaign.
            Some("ENDED") => "ACTIVE".clone_into(&mut campaign.status),
            Some(status) => status.clone_into(&mut campaign.status),
            None => {}
        }
        campaign.name = name.unwrap_or(campaign.name);
        // The flat shape shows a monthly budget as the daily one of the moment.
        let (amount, period) = match &pacing {
            Some(pacing) => (Some(pacing.amount.clone()), Some(MONTHLY.to_owned())),
            None => (budget_amount, budget_period),
        };
        campaign.budget_amount = amount.or(campaign.budget_amount);
        campaign.budget_period = period.or(campaign.budget_period);
        campaign.pacing = pacing;
        Some(campaign)
    }
}
