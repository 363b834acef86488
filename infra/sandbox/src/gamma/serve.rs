//! The calls of the API: who makes them, and what each does.
//!
//! TikTok API for Business v1.3: "API reference".

use jiff::Timestamp;

use super::accounts::Account;
use super::answer::{Data, Refusal, SYSTEM};
use super::campaign::{Campaign, FIELDS, Kind};
use super::given::{Body, Query};
use super::quirks::Fate;
use super::route::Route;
use super::{Gamma, access, accounts, campaign, change, create, list, oauth, quirks, report};
use crate::http::Request;
use crate::oauth::Consent;
use crate::platform::RequestContext;

impl Gamma {
    /// Does what a call of the API asks.
    pub(super) fn serve(
        &mut self,
        route: Route,
        request: &Request,
        moment: &RequestContext<'_>,
    ) -> Result<Data, Refusal> {
        if route == Route::Token {
            return oauth::exchange(self, request, moment);
        }
        let consent = access::authenticate(self, request, moment.now.as_second())?;
        if request.method == "GET" {
            quirks::check_read(&mut self.reads, moment)?;
        }
        match route {
            Route::Revoke => oauth::revoke(self, request),
            Route::Advertisers => accounts::authorized(self, request, &consent, moment),
            Route::Info => accounts::info(self, request, &consent),
            Route::List(kind) => {
                let query = Query::read(request, list::PARAMETERS)?;
                list::list(self.asked(&consent, &query)?, &query, kind, moment.settings.page_size)
            }
            Route::Report => {
                let query = Query::read(request, report::PARAMETERS)?;
                report::report(self.asked(&consent, &query)?, &query)
            }
            Route::Create(kind) => self.create(kind, request, &consent, moment),
            other => self.write(other, request, &consent, moment.now),
        }
    }

    fn create(
        &mut self,
        kind: Kind,
        request: &Request,
        consent: &Consent,
        moment: &RequestContext<'_>,
    ) -> Result<Data, Refusal> {
        let body = Body::read(request, create::fields(kind))?;
        let advertiser = body.required("advertiser_id")?;
        let at = access::reach(self, consent, &advertiser)?;
        let account = self.accounts.get_mut(at).ok_or_else(|| Refusal::missing("advertiser_id"))?;
        let fate = Fate::next(&advertiser, &mut self.creates, moment);
        fate.before()?;
        let made = create::create(account, &body, kind, moment)?;
        self.last_campaign += 1;
        let number = self.last_campaign;
        let id = if moment.quirk(quirks::ID_SKEW) { quirks::skewed_id(number, moment.now) } else { number };
        let campaign = Campaign { id, ..made };
        let shown = campaign.row(&advertiser, FIELDS);
        account.campaigns.insert(id, campaign);
        fate.after().map(|()| Data::Row(shown))
    }

    fn write(&mut self, route: Route, request: &Request, consent: &Consent, now: Timestamp) -> Result<Data, Refusal> {
        let now = campaign::time(now);
        let known = match route {
            Route::Update(kind) => change::fields(kind),
            _ => change::STATUS_FIELDS,
        };
        let body = Body::read(request, known)?;
        let advertiser = body.required("advertiser_id")?;
        let at = access::reach(self, consent, &advertiser)?;
        let account = self.accounts.get_mut(at).ok_or_else(|| Refusal::missing("advertiser_id"))?;
        match route {
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
