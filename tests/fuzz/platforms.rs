//! The responses of the platforms: every operation of an adapter, against any responses in the input.
//!
//! The first line of an input names the platform, an ad account and a campaign: `zeta t2_canaryad 2012345678901234567`.
//! Below it are an order and responses, separated by [`super::responses::SEPARATOR`]. The order is a letter for the
//! operation, one for the account and the new campaign, and one for the change and the list. A text that begins like
//! JSON or a page is the response to a read of one campaign: so an adapter's fixture is an input, with a first line.

use super::rendering::{both_shapes, digits, no_secret};
use super::responses::{self, SEPARATOR, Script};
use http::StatusCode;
use secrecy::SecretString;
use shared::domain::money::decimal_from_number;
use shared::domain::{
    AdAccount, CampaignChanges, CampaignDraft, CampaignId, CampaignStatus, CampaignValues, ChangeId, ConnectionId,
    Currency, Days, Granularity, InsightsRow, Marker, Moment, Platform, PlatformCampaign, StatusSet,
};
use shared::envelope::{CampaignList, Reply};
use shared::error::{Error, Kind};
use shared::outbound::Outbound;
use shared::platforms::config::{Client, PlatformConfig};
use shared::platforms::engine::insights::{InsightsPage, InsightsRequest};
use shared::platforms::oauth::CodeExchange;
use shared::platforms::settings::Settings;
use shared::platforms::{
    AccountSession, AdPlatform, CallContext, CampaignPage, CreateInput, ListRequest, RevokedGrant, adapter,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// Secrets that are sent, and that no error may contain, should the platform repeat them.
const SECRETS: [&str; 6] =
    ["access-canary", "refresh-canary", "client-canary", "developer-canary", "code-canary", VERIFIER];
/// A verifier has 43 characters at least.
const VERIFIER: &str = "verifier-canary-of-forty-three-characters-1";
/// No longer wait is accepted.
const LONGEST_WAIT: Duration = Duration::from_secs(7 * 86_400);
/// No message is longer: a platform's words are cut.
const LONGEST_MESSAGE: usize = 2_500;

/// The platform of an input, an ad account there, and a campaign in it.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    platform: Platform,
    account: &'a str,
    campaign: &'a str,
}

impl<'a> Place<'a> {
    /// Reads a first line. Ids have the characters that the service accepts.
    pub(super) fn read(line: &'a [u8]) -> Option<Place<'a>> {
        let mut words = str::from_utf8(line).ok()?.split(' ');
        let (name, account, campaign) = (words.next()?, words.next()?, words.next()?);
        let is_id = |id: &str| !id.is_empty() && id.bytes().all(is_word);
        let platform = Platform::ALL.into_iter().find(|platform| platform.prefix() == name)?;
        let is_place = is_id(account) && is_id(campaign) && words.next().is_none();
        is_place.then_some(Place { platform, account, campaign })
    }
}

/// Runs one input against the adapter that it names. Returns its success.
pub(super) fn platform(input: &[u8]) -> bool {
    let Some(end) = input.iter().position(|byte| *byte == b'\n') else { return false };
    let line = &input[..end];
    let input = &input[end + 1..];
    let Some(place) = Place::read(line) else { return false };
    let platform = place.platform;
    if matches!(input.first(), Some(b'{' | b'<')) {
        let read_with = |status| {
            let script = Script::of(base(platform), [responses::plain(status, input)].into());
            play(place, b"f00", &script)
        };
        return [StatusCode::OK, StatusCode::BAD_REQUEST].map(read_with).contains(&true);
    }
    let mut parts = input.split(|byte| *byte == SEPARATOR);
    let order = parts.next().unwrap_or_default();
    let script = Script::read(base(platform), parts);
    let pause = (adapter(platform).facts().requested_pause)(&script.next_headers(), now());
    assert!(pause.is_none_or(|pause| pause <= LONGEST_WAIT), "{pause:?}");
    play(place, order, &script)
}

fn play(place: Place<'_>, order: &[u8], script: &Arc<Script>) -> bool {
    let letter = |place| order.get(place).copied().unwrap_or(b'0');
    let player = Player::new(place, [letter(1), letter(2)], Outbound::with_transport(Arc::clone(script) as Arc<_>));
    match responses::run(player.operate(letter(0))) {
        Ok(said) => player.check(said),
        Err(error) if error.kind == Kind::Internal && has_foreign_account(place) => return false,
        Err(error) => {
            no_secret(&error, &script.sent(&SECRETS));
            check_error(place.platform, letter(0), error);
            return false;
        }
    }
    true
}

/// Whether the ad account's id has another form than the platform's: its adapter refuses it before any call.
fn has_foreign_account(place: Place<'_>) -> bool {
    let player = Player::new(place, *b"00", Outbound::with_transport(Script::of("", [].into())));
    responses::run(player.operate(b'e')).is_err_and(|error| error.kind == Kind::Internal)
}

/// The address of the platform.
fn base(platform: Platform) -> String {
    format!("http://platform/{platform}/")
}

pub(super) fn now() -> jiff::Timestamp {
    "2026-11-20T12:00:00Z".parse().expect("a time")
}

/// The credentials and the call.
pub(super) struct Player {
    pub(super) adapter: &'static dyn AdPlatform,
    pub(super) session: AccountSession,
    pub(super) remote_id: String,
    pub(super) draft: CampaignDraft,
    pub(super) marker: Marker,
    changes: CampaignChanges,
    list: ListRequest,
    insights: InsightsRequest,
}

/// The result of an operation.
pub(super) enum Said {
    Accounts(Vec<AdAccount>),
    Page(CampaignPage),
    Insights(InsightsPage),
    Found(Vec<PlatformCampaign>),
    /// Read from the platform's own object.
    Read(Box<PlatformCampaign>),
    /// Composed of the previous campaign and the changes.
    Written(Box<PlatformCampaign>),
    Done,
}

impl Player {
    /// The letters choose the currency and the new campaign, the change and the list.
    pub(super) fn new(place: Place<'_>, [created, changed]: [u8; 2], outbound: Outbound) -> Player {
        let platform = place.platform;
        let adapter = adapter(platform);
        let capabilities = adapter.facts().capabilities;
        let client = Client {
            client_id: "client".into(),
            client_secret: "client-canary".into(),
            developer_token: Some("developer-canary".into()),
        };
        let config =
            Arc::new(PlatformConfig::new(platform, client, Settings::local(), Some("http://platform/{platform}")));
        let call = CallContext { outbound, config, deadline: Instant::now() + Duration::from_secs(25), now: now() };
        let goals = capabilities.goals;
        let periods = capabilities.budget_periods;
        let budget_period = periods[usize::from(created >> 5) % periods.len()];
        let needs_end = budget_period.is_whole_run() && capabilities.lifetime_needs_end;
        let (name, amount) = ("Winter \"sale\"".to_owned(), decimal_from_number("1250").expect("an amount"));
        let goal = goals[usize::from(created >> 2) % goals.len()];
        let draft = CampaignDraft::new(name, goal, amount, budget_period);
        let end_at = if needs_end { Moment::parse("2027-01-31") } else { None };
        let defaults = if platform == Platform::Delta { Settings::local().delta_ads.campaign_defaults } else { None };
        let draft = CampaignDraft { end_at, defaults, ..draft };
        Player {
            adapter,
            session: AccountSession { call, account: account(place.account, created), token: "access-canary".into() },
            remote_id: place.campaign.to_owned(),
            changes: changes(usize::from(changed), &draft),
            draft,
            marker: ChangeId::new(jiff::Timestamp::UNIX_EPOCH, Uuid::from_u128(1), 0).marker(),
            list: list(usize::from(changed)),
            insights: insights(usize::from(changed), place.campaign),
        }
    }

    /// Runs an operation, `a` to `k`.
    pub(super) async fn operate(&self, operation: u8) -> Result<Said, Error> {
        let adapter = self.adapter;
        let session = &self.session;
        let call = &self.session.call;
        let code = "code-canary".into();
        let verifier = SecretString::from(VERIFIER);
        let refresh_token: SecretString = "refresh-canary".into();
        Ok(match operation {
            b'a' => Said::Accounts(adapter.accounts(call, &session.token).await?),
            b'b' => {
                let redirect_uri = "https://us.example/v1/oauth/callback";
                adapter.exchange(call, CodeExchange { code: &code, redirect_uri, verifier: &verifier }).await?;
                Said::Done
            }
            b'c' => adapter.refresh(call, &refresh_token).await.map(|_| Said::Done)?,
            b'd' => {
                let grant = RevokedGrant { access_token: session.token.clone(), refresh_token: Some(refresh_token) };
                adapter.revoke(call, &grant).await.map(|()| Said::Done)?
            }
            b'e' => Said::Page(self.pages().await?),
            b'g' => {
                let account = &session.account;
                let draft = &self.draft;
                let marker = &self.marker;
                let input = CreateInput { account, draft, marker, now: call.now };
                let created = adapter.create_campaign(session, &adapter.prepare_create(&input)?).await?;
                Said::Written(Box::new(created))
            }
            b'h' => Said::Found(adapter.find_created(session, &self.draft, &self.marker).await?),
            b'i' => {
                let current = adapter.get_campaign(session, &self.remote_id).await?;
                let changes = self.changes.clone().against(&CampaignValues::of(&current));
                if changes.is_empty() {
                    return Ok(Said::Read(Box::new(current)));
                }
                match adapter.update_campaign(session, &current, &changes).await? {
                    Some(seen) => Said::Written(Box::new(seen)),
                    None => Said::Done,
                }
            }
            b'j' => {
                let current = adapter.get_campaign(session, &self.remote_id).await?;
                adapter.delete_campaign(session, &current).await.map(|_| Said::Done)?
            }
            b'k' => Said::Insights(self.read_insights().await?),
            _ => Said::Read(Box::new(adapter.get_campaign(session, &self.remote_id).await?)),
        })
    }

    /// A page and the one after it: a position that was returned is accepted, unless the platform refuses it.
    async fn pages(&self) -> Result<CampaignPage, Error> {
        let page = self.adapter.list_campaigns(&self.session, &self.list).await?;
        if let Some(last) = page.positions.last() {
            let next = ListRequest { after: Some(last.clone()), ..self.list.clone() };
            let next = self.adapter.list_campaigns(&self.session, &next).await;
            assert!(!next.is_err_and(|error| is_ours(&error)), "{last} is not taken back");
        }
        Ok(page)
    }

    /// A page of insights and the one after it. A position that was returned is accepted, unless the platform refuses
    /// it.
    async fn read_insights(&self) -> Result<InsightsPage, Error> {
        let page = self.adapter.insights(&self.session, &self.insights).await?;
        if let Some(last) = page.positions.last() {
            let next = InsightsRequest { after: Some(last.clone()), ..self.insights.clone() };
            let next = self.adapter.insights(&self.session, &next).await;
            assert!(!next.is_err_and(|error| is_ours(&error)), "{last} is not taken back");
        }
        Ok(page)
    }

    fn check(&self, said: Said) {
        match said {
            Said::Accounts(accounts) => accounts.iter().for_each(check_account),
            Said::Found(campaigns) => campaigns.iter().for_each(|campaign| {
                assert!(self.marker.label().len() < 20 && campaign.account_id == self.session.account.id);
                self.check_read(campaign);
            }),
            Said::Page(page) => self.check_page(page),
            Said::Insights(page) => {
                assert_eq!(page.rows.len(), page.positions.len());
                assert!(page.rows.len() <= self.insights.limit);
                page.rows.iter().for_each(|row| self.check_insights(row));
            }
            Said::Read(campaign) => {
                assert_eq!(campaign.remote_id, self.remote_id, "another campaign than the one that was asked for");
                self.check_read(&campaign);
            }
            Said::Written(campaign) => self.check_campaign(&campaign),
            Said::Done => {}
        }
    }

    fn check_page(&self, page: CampaignPage) {
        assert_eq!(page.rows.len(), page.positions.len());
        assert!(page.rows.len() <= self.list.limit);
        for campaign in &page.rows {
            assert!(self.list.statuses.contains(campaign.status), "{:?} was not asked for", campaign.status);
            self.check_read(campaign);
        }
        let campaigns = page.rows.into_iter().map(|campaign| campaign.complete(&connection(), None)).collect();
        let list = CampaignList { campaigns, next_cursor: page.positions.last().cloned(), failures: vec![] };
        both_shapes(&Ok(Reply::Campaigns(list)));
    }

    /// A row is of the requested campaign and day.
    fn check_insights(&self, row: &InsightsRow) {
        let remote = row.campaign.remote_in(&self.session.account.id).expect("a campaign of the account");
        assert!(self.insights.campaign.as_ref().is_none_or(|campaign| campaign == remote), "{row:?}");
        assert_eq!(row.date.is_some(), self.insights.granularity == Granularity::Day, "{row:?}");
        assert!(row.date.is_none_or(|date| self.insights.days.contains(date)), "{row:?}");
    }

    /// An amount is the platform's own, to the last digit.
    fn check_read(&self, campaign: &PlatformCampaign) {
        // Digits may be written as escapes, which this reader does not decode.
        if !campaign.raw.contains("\\u")
            && let Some(amount) = campaign.budget_amount
        {
            let (ours, theirs) = (digits(&amount.to_string()), campaign.raw.replace('.', ""));
            assert!(theirs.contains(&ours), "{amount} does not stand in {}", campaign.raw);
        }
        self.check_campaign(campaign);
    }

    fn check_campaign(&self, campaign: &PlatformCampaign) {
        let id = CampaignId::parse(&campaign.id.to_string()).expect("an id that is one");
        assert_eq!(id, campaign.id);
        assert_eq!(id.remote_in(&self.session.account.id), Some(campaign.remote_id.as_str()));
        both_shapes(&Ok(Reply::Campaign(Box::new(campaign.clone().complete(&connection(), None)))));
    }
}

/// Whether the service itself does not accept a position.
fn is_ours(error: &Error) -> bool {
    error.kind == Kind::Validation && error.source.is_none()
}

/// Whether a byte may stand in an id, which becomes part of the ids of the API.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn check_account(account: &AdAccount) {
    assert!(!account.id.is_empty() && account.id.bytes().all(is_word), "{account:?} becomes part of ids");
}

/// An error blames the right side, and no number from outside is accepted without a bound.
fn check_error(platform: Platform, operation: u8, error: Error) {
    assert!(error.kind != Kind::Internal, "{platform} {error:?}");
    assert!(error.retry_after.is_none_or(|wait| wait <= LONGEST_WAIT), "{platform} {error:?}");
    assert!(error.message.to_string().chars().count() <= LONGEST_MESSAGE, "{platform} {error:?}");
    let is_create = operation == b'g';
    assert!(!(is_create && error.unknown_outcome && error.retryable), "{platform} a second one may be made: {error:?}");
    both_shapes(&Err(error));
}

/// The ad account with an id, in one of several currencies.
fn account(id: &str, created: u8) -> AdAccount {
    let code = ["USD", "JPY", "KWD", "EUR"][usize::from(created % 4)];
    AdAccount {
        id: id.to_owned(),
        name: "Shop".to_owned(),
        currency: Currency::from_code(code).expect("a currency"),
        time_zone: "America/New_York".to_owned(),
        manager_id: None,
    }
}

fn changes(choice: usize, draft: &CampaignDraft) -> CampaignChanges {
    let statuses = [CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Archived];
    let may = |bit: usize| choice & bit != 0;
    CampaignChanges {
        name: may(1).then(|| "Spring".to_owned()),
        status: may(2).then(|| statuses[choice % 3]),
        budget_amount: may(4).then(|| decimal_from_number("2000").expect("an amount")),
        budget_period: may(8).then_some(draft.budget_period),
        ..CampaignChanges::default()
    }
}

fn connection() -> ConnectionId {
    ConnectionId("conn_1".to_owned())
}

fn list(choice: usize) -> ListRequest {
    let statuses = match choice % 3 {
        0 => StatusSet::not_final(),
        1 => StatusSet::of(&CampaignStatus::ALL),
        _ => StatusSet::of(&[CampaignStatus::Active, CampaignStatus::Archived]),
    };
    ListRequest { statuses, limit: [25, 1, 2, 100][choice % 4], after: None }
}

fn insights(choice: usize, campaign: &str) -> InsightsRequest {
    let day = |text: &str| text.parse().expect("a day");
    InsightsRequest {
        days: Days::new(day("2026-11-01"), day("2026-11-14")).expect("days"),
        granularity: Granularity::ALL[choice % 2],
        campaign: (choice & 2 != 0).then(|| campaign.to_owned()),
        limit: [100, 100, 1, 3][choice / 64 % 4],
        after: None,
    }
}
