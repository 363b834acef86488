//! The calls of the API: who makes them, and what each does.
//!
//! TikTok API for Business v1.3: "API reference".

use jiff::Timestamp;

use super::accounts::Account;
use super::answer::{Data, Refusal, SYSTEM};
use super::campaign::{Campaign, FIELDS};
use super::given::{Body, Query};
use super::route::Route;
use super::{Gamma, access, accounts, change, create, list, oauth, report};
use crate::http::Request;
use crate::oauth::Consent;
use crate::platform::Moment;

impl Gamma {
    /// Does what a call of the API asks.
    pub(super) fn serve(&mut self, route: Route, request: &Request, moment: &Moment<'_>) -> Result<Data, Refusal> {
        if route == Route::Token {
            return oauth::exchange(self, request, moment);
        }
        let consent = access::authenticate(self, request, moment.now.as_second())?;
        match route {
            Route::Revoke => oauth::revoke(self, request),
            Route::Advertisers => accounts::authorized(self, request, &consent),
            Route::Info => accounts::info(self, request, &consent),
            Route::List(kind) => {
                let query = Query::read(request, list::PARAMETERS)?;
                list::list(self.asked(&consent, &query)?, &query, kind, moment.settings.page_size)
            }
            Route::Report => {
                let query = Query::read(request, report::PARAMETERS)?;
                report::report(self.asked(&consent, &query)?, &query)
            }
            other => self.write(other, request, &consent, moment.now),
        }
    }

    fn write(&mut self, route: Route, request: &Request, consent: &Consent, now: Timestamp) -> Result<Data, Refusal> {
        let now = now.strftime("%Y-%m-%d %H:%M:%S").to_string();
        let known = match route {
            Route::Create(kind) => create::fields(kind),
            Route::Update(kind) => change::fields(kind),
            _ => change::STATUS_FIELDS,
        };
        let body = Body::read(request, known)?;
        let advertiser = body.required("advertiser_id")?;
        let at = access::reach(self, consent, &advertiser)?;
        let account = self.accounts.get_mut(at).ok_or_else(|| Refusal::missing("advertiser_id"))?;
        match route {
            Route::Create(kind) => {
                let made = create::create(account, &body, kind, &now)?;
                self.last_campaign += 1;
                let campaign = Campaign { id: self.last_campaign, ..made };
                let shown = campaign.row(&advertiser, FIELDS);
                account.campaigns.insert(campaign.id, campaign);
                Ok(Data::Row(shown))
            }
            Route::Update(kind) => change::update(account, &body, kind, &now),
            Route::Status(kind) => change::switch(account, &body, kind, &now),
            _ => Err(Refusal::new(SYSTEM, "System error.")),
        }
    }

    /// The account that a query is about.
    fn asked(&self, consent: &Consent, query: &Query) -> Result<&Account, Refusal> {
        let at = access::reach(self, consent, query.required("advertiser_id")?)?;
        self.accounts.get(at).ok_or_else(|| Refusal::missing("advertiser_id"))
    }
}
