//! The ads of campaigns, read to the end or not at all: a part of them would prove nothing.

use super::call::Client;
use super::page::{Page, Pages};
use crate::domain::{Ads, AdsUnread, Hold, PlatformAd, PlatformCampaign};
use crate::error::Error;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;
use tokio::time::Instant;

/// Most pages of ads for one request.
const MAX_PAGES: usize = 20;
/// No further page of ads is asked for after this time.
const READ_TIME: Duration = Duration::from_secs(8);

/// The campaigns of one ad account whose ads are read.
#[derive(Clone, Copy, Debug)]
pub struct AdsRequest<'a> {
    /// At least one.
    pub campaigns: &'a [PlatformCampaign],
    /// Whether the texts of rejections are read too, where that takes a call of its own.
    pub with_rejections: bool,
}

impl AdsRequest<'_> {
    /// The campaigns' identifiers on the platform.
    pub fn ids(&self) -> Vec<&str> {
        self.campaigns.iter().map(|campaign| campaign.remote_id.as_str()).collect()
    }
}

/// What a platform says of the ads of some campaigns of an ad account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdsReport {
    /// What is held against the ad account itself.
    pub account: Vec<Hold>,
    /// The ads of each campaign that was asked about, by its identifier on the platform.
    ads: HashMap<String, Result<Vec<PlatformAd>, AdsUnread>>,
}

impl AdsReport {
    /// A report from the whole list of the campaigns' ads. Ads of other campaigns are left out. Each campaign has an entry,
    /// even one without ads.
    pub fn whole(request: AdsRequest<'_>, account: Vec<Hold>, ads: Vec<PlatformAd>) -> AdsReport {
        let mut report = AdsReport { account, ads: HashMap::new() };
        for id in request.ids() {
            report.ads.insert(id.to_owned(), Ok(Vec::new()));
        }
        for ad in ads {
            if let Some(Ok(known)) = report.ads.get_mut(&ad.campaign) {
                known.push(ad);
            }
        }
        report
    }

    /// A report without the ads of any campaign.
    pub fn unread(request: AdsRequest<'_>, account: Vec<Hold>, reason: AdsUnread) -> AdsReport {
        let ads = request.ids().into_iter().map(|id| (id.to_owned(), Err(reason))).collect();
        AdsReport { account, ads }
    }

    /// The same without the ads of one campaign.
    #[must_use]
    pub fn without(mut self, campaign: &str, reason: AdsUnread) -> AdsReport {
        self.ads.insert(campaign.to_owned(), Err(reason));
        self
    }

    /// The ads of a campaign.
    pub fn of(&self, campaign: &str) -> Ads<'_> {
        match self.ads.get(campaign) {
            Some(Ok(ads)) => Ok(ads),
            Some(Err(reason)) => Err(*reason),
            None => Err(AdsUnread::NotRead),
        }
    }
}

/// Reads all rows of a list; `None` if they are more than a request reads.
pub async fn all_rows<T: Send>(client: &Client<'_>, pages: &Pages<'_, T>) -> Result<Option<Vec<T>>, Error> {
    let until = Instant::now() + READ_TIME;
    let (mut rows, mut count, mut is_whole) = (Vec::new(), 0, true);
    let add = |_: Option<&str>, page: Page<T>| {
        rows.extend(page.rows);
        count += 1;
        let is_end = page.next.is_none();
        if !is_end && (count == MAX_PAGES || Instant::now() >= until) {
            is_whole = false;
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    };
    pages.visit(client, None, add).await?;
    Ok(is_whole.then_some(rows))
}
