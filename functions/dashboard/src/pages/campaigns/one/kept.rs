//! What the page of a campaign shows while its platform does not answer: the values that were kept, at once, with the forms
//! that change it.

use super::delivery::DeliveryPart;
use super::numbers::{Shown, numbers};
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use crate::client::readings::{KeptCampaign, kept_campaign};
use crate::client::session::SignedIn;
use crate::kit::addresses;
use crate::kit::campaign::Switch;
use crate::kit::known_campaign;
use crate::kit::range::Range;
use crate::kit::text::{clock, when};
use jiff::Timestamp;
use shared::domain::{Campaign, CampaignId, ConnectionId};
use shared::envelope::query::value;
use shared::serve::WebRequest;
use std::pin::pin;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long the page waits for a platform whose last reading has failed.
const SOON: Duration = Duration::from_millis(1_500);
/// How long it waits for the ads of a campaign, and how long for all of it.
const ADS_TIME: Duration = Duration::from_secs(5);
const ALL_TIME: Duration = Duration::from_secs(7);
/// The parameter of the address with which the page waits for a platform that is known to be silent.
const WAIT: (&str, &str) = ("wait", "all");

/// What the page has of a campaign.
pub(super) struct Read {
    pub(super) campaign: Result<Campaign, Refusal>,
    /// Whether it is shown; `None` for one that is switched off.
    pub(super) delivery: Result<Option<DeliveryPart>, Refusal>,
    pub(super) shown: Shown,
    /// `None` if its platform has answered.
    pub(super) kept: Option<KeptCampaign>,
}

/// What the page says of a platform that does not answer.
pub(super) struct Silence {
    /// The last answer of its platform: `02:58 UTC`.
    pub(super) as_of: String,
    /// The same in a sentence: `at 02:58 UTC`.
    pub(super) at: String,
    /// Whether its numbers are those that were kept, too.
    pub(super) has_kept_numbers: bool,
    /// What its buttons do meanwhile.
    pub(super) meanwhile: String,
    /// The page that waits for the platform.
    pub(super) again: String,
}

impl Silence {
    pub(super) fn of(kept: &KeptCampaign, has_kept_numbers: bool, list: &str, now: Timestamp) -> Silence {
        let campaign = &kept.row.campaign;
        let platform = campaign.id.platform().display_name();
        let pauses = campaign.switch() == Some(Switch::Pause);
        let pause = format!("A pause is kept and tried until {platform} answers, for a week. ");
        let other = format!(
            "You can still change it: that is sent at once, and the page says whether {platform} has taken it."
        );
        let again = format!("{}&{}={}", addresses::campaign_of_list(&campaign.id.to_string(), list), WAIT.0, WAIT.1);
        Silence {
            as_of: clock(kept.answered_at, now),
            at: when(kept.answered_at, now),
            has_kept_numbers,
            meanwhile: if pauses { format!("{pause}{other}") } else { other },
            again,
        }
    }
}

/// Reads a campaign and its numbers. From a platform that does not answer in time it is as it was kept: soon where the last
/// reading has failed, too.
pub(super) async fn read(request: &WebRequest, person: &SignedIn, id: &str) -> Read {
    let api = Api::new(request, person);
    let (api, start) = (&api, Instant::now());
    let until = start + ALL_TIME;
    let mut asked =
        pin!(async { tokio::join!(campaign_and_delivery(api, id, start), numbers(request, api, id, until)) });
    let is_patient = value(&request.query, WAIT.0) == Some(WAIT.1);
    let first = timeout_at(if is_patient { until } else { start + SOON }, asked.as_mut()).await;
    let is_answer = |campaign: &Result<Campaign, Refusal>| !campaign.as_ref().is_err_and(Refusal::is_of_silence);
    match first {
        Ok(((campaign, delivery), shown)) if is_answer(&campaign) => {
            return Read { campaign, delivery, shown, kept: None };
        }
        Ok(_) | Err(_) => {}
    }
    let kept = kept_campaign(request, person, id).await;
    let ((campaign, delivery), shown) = match first {
        Ok(silent) => silent,
        Err(_) if kept.as_ref().is_some_and(|kept| kept.has_failed) => {
            let late = late(id);
            ((Err(late.clone()), Err(late.clone())), Shown::late(request, late))
        }
        Err(_) => asked.await,
    };
    match kept.filter(|_| !is_answer(&campaign)) {
        Some(kept) => Read { campaign: Ok(known(&kept)), delivery, shown, kept: Some(kept) },
        None => Read { campaign, delivery, shown, kept: None },
    }
}

/// The campaign as it was kept.
fn known(kept: &KeptCampaign) -> Campaign {
    known_campaign::of_summary(kept.row.campaign.clone(), ConnectionId(kept.row.connection.clone()))
}

impl Shown {
    /// What is shown without the numbers.
    fn late(request: &WebRequest, refusal: Refusal) -> Shown {
        let range = Range::read(&request.query, request.now);
        Shown { connections: Vec::new(), range, reported: Err(refusal), clock: None }
    }
}

/// A campaign, and whether it is shown: one reading tells both. If its ads cannot be read, the campaign is read alone.
async fn campaign_and_delivery(
    api: &Api<'_>,
    id: &str,
    start: Instant,
) -> (Result<Campaign, Refusal>, Result<Option<DeliveryPart>, Refusal>) {
    match timeout_at(start + ADS_TIME, campaigns::delivery(api, id)).await.unwrap_or_else(|_| Err(late(id))) {
        Ok(read) => {
            let campaign = Campaign { delivery: Some(read.delivery.clone()), ..read.campaign.clone() };
            (Ok(campaign), Ok(DeliveryPart::of(read)))
        }
        Err(refusal) if refusal.status == 404 => (Err(refusal.clone()), Err(refusal)),
        Err(refusal) => {
            let alone = timeout_at(start + ALL_TIME, campaigns::one(api, id)).await;
            (alone.unwrap_or_else(|_| Err(late(id))), Err(refusal))
        }
    }
}

/// The refusal by a platform that does not answer in time.
pub(super) fn late(id: &str) -> Refusal {
    Refusal::late(CampaignId::parse(id).map_or("The platform", |id| id.platform().display_name()))
}
