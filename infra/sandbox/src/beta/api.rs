//! The calls of the Marketing API and what each does.
//!
//! Marketing API: Ad Account, Campaigns edge, Campaign, Ad Insights; Graph API: User, Adaccounts
//! and Permissions edges.

use serde_json::{Map, Value, json};

use super::accounts::{self, Account};
use super::address::{Address, USER, address};
use super::auth::{self, Caller};
use super::campaign::{self, Campaign, Status};
use super::error::{GraphError, VERSION};
use super::fields::{self, Edge, Selection, select};
use super::filter::Filter;
use super::insights::{Level, Report};
use super::paging::{Reading, page};
use super::params::Params;
use super::{Beta, draft, oauth, quirks, times};
use crate::http::{Reply, Request};
use crate::platform::RequestContext;

/// A call that may be made, with all that it says.
struct Asked<'a> {
    request: &'a Request,
    params: Params,
    caller: Caller,
    moment: &'a RequestContext<'a>,
}

type Answer = Result<Value, GraphError>;

/// Answers a call of the API.
pub(crate) fn answer(beta: &mut Beta, request: &Request, moment: &RequestContext<'_>) -> Reply {
    match serve(beta, request, moment) {
        Ok(body) => Reply::json(200, &body).with("facebook-api-version", VERSION),
        Err(error) => quirks::reworded(error, moment).reply(),
    }
}

fn serve(beta: &mut Beta, request: &Request, moment: &RequestContext<'_>) -> Answer {
    let address = address(&request.path)?;
    quirks::check_version(&request.path, moment)?;
    let params = Params::read(request)?;
    match (request.method.as_str(), address) {
        ("GET" | "POST", Address::Token) => return oauth::token(beta, &params, moment),
        ("GET", Address::Debug) => return oauth::debug(beta, request, &params, moment),
        _ => {}
    }
    let caller = auth::caller(beta, request, &params, moment.now)?;
    let asked = Asked { request, params, caller, moment };
    match (request.method.as_str(), address) {
        ("GET", Address::Me) => Ok(json!({ "id": USER, "name": "Robin Harbour" })),
        ("GET", Address::MyPermissions) => Ok(oauth::permissions(&asked.caller)),
        ("DELETE", Address::MyPermissions) => oauth::withdraw(beta, &asked.caller, &asked.params),
        ("GET", Address::MyAccounts) => my_accounts(beta, &asked),
        ("GET", Address::Account(act)) => account(beta, &asked, act),
        ("GET", Address::Campaigns(act)) => list(beta, &asked, act),
        ("POST", Address::Campaigns(act)) => create(beta, &asked, act),
        ("GET", Address::AccountInsights(act)) => account_insights(beta, &asked, act),
        ("GET", Address::Node(id)) => get(beta, &asked, id),
        ("GET", Address::NodeInsights(id)) => campaign_insights(beta, &asked, id),
        ("POST", Address::Node(id)) => update(beta, &asked, id),
        ("DELETE", Address::Node(id)) => delete(beta, &asked, id),
        (method, _) => Err(GraphError::no_object(method, request.path.rsplit('/').next().unwrap_or_default())),
    }
}

impl Asked<'_> {
    fn reading(&self) -> Reading<'_> {
        let page_size = self.moment.settings.page_size;
        Reading { request: self.request, params: &self.params, token: &self.caller.token, page_size }
    }

    /// An account that the caller reaches.
    fn account<'b>(&self, beta: &'b Beta, act: &str) -> Result<&'b Account, GraphError> {
        self.caller.may_read()?;
        let at = self.caller.account(beta, &self.request.method, act)?;
        beta.accounts.get(at).ok_or_else(GraphError::broken)
    }

    /// An account that the caller reaches and whose campaigns answer.
    fn working_account<'b>(&self, beta: &'b Beta, act: &str) -> Result<&'b Account, GraphError> {
        let account = self.account(beta, act)?;
        quirks::check_account(account, self.moment).map(|()| account)
    }

    /// A campaign that the caller reaches, and its account.
    fn campaign<'b>(&self, beta: &'b Beta, id: &str) -> Result<(&'b Account, &'b Campaign), GraphError> {
        self.caller.may_read()?;
        let (at, number) = self.caller.campaign(beta, &self.request.method, id)?;
        let account = beta.accounts.get(at).ok_or_else(GraphError::broken)?;
        Ok((account, account.campaigns.get(&number).ok_or_else(GraphError::broken)?))
    }

    fn campaign_fields(&self) -> Result<Selection<'_>, GraphError> {
        select(self.params.text("fields"), campaign::FIELDS, fields::CAMPAIGN)
    }
}

fn my_accounts(beta: &Beta, asked: &Asked<'_>) -> Answer {
    asked.caller.may_read()?;
    let text = asked.params.text("fields").or(Some("account_id"));
    let selection = select(text, accounts::FIELDS, "AdAccount")?;
    let chosen = beta.accounts.iter().filter(|account| asked.caller.reaches(&account.act()));
    let rows = chosen.map(|account| (account.id, account_object(account, &selection, asked)));
    page(&rows.collect::<Vec<_>>(), &asked.reading())
}

fn account(beta: &Beta, asked: &Asked<'_>, act: &str) -> Answer {
    let account = asked.account(beta, act)?;
    let text = asked.params.text("fields").or(Some("account_id"));
    Ok(account_object(account, &select(text, accounts::FIELDS, "AdAccount")?, asked))
}

fn account_object(account: &Account, selection: &Selection<'_>, asked: &Asked<'_>) -> Value {
    object(selection, |name| account.field(name, asked.moment.now))
}

fn object(selection: &Selection<'_>, field: impl Fn(&str) -> Option<Value>) -> Value {
    let values = selection.names.iter().filter_map(|name| Some(((*name).to_owned(), field(name)?)));
    Value::Object(values.collect::<Map<_, _>>())
}

fn list(beta: &Beta, asked: &Asked<'_>, act: &str) -> Answer {
    let account = asked.working_account(beta, act)?;
    if let Some(name) = asked.params.any_of(&["date_preset", "time_range", "is_completed"]) {
        return Err(GraphError::unimitated(name));
    }
    let selection = asked.campaign_fields()?;
    let filter = Filter::read(&asked.params)?;
    let wanted = account.campaigns.values().rev().filter(|campaign| filter.lists(campaign));
    let rows: Result<Vec<_>, GraphError> = wanted
        .map(|campaign| Ok((u64::MAX - campaign.id, campaign_object(account, campaign, &selection, asked)?)))
        .collect();
    page(&rows?, &asked.reading())
}

fn get(beta: &Beta, asked: &Asked<'_>, id: &str) -> Answer {
    let (account, campaign) = asked.campaign(beta, id)?;
    campaign_object(account, campaign, &asked.campaign_fields()?, asked)
}

fn campaign_object(account: &Account, campaign: &Campaign, selection: &Selection<'_>, asked: &Asked<'_>) -> Answer {
    let mut shown = object(selection, |name| campaign.field(name, account));
    if let Some(edge) = &selection.insights {
        let rows = expanded(account, campaign, edge, asked)?;
        // An edge without rows is left out of its object.
        if !rows.is_empty() {
            shown["insights"] = json!({ "data": rows });
        }
    }
    Ok(shown)
}

fn expanded(
    account: &Account,
    campaign: &Campaign,
    edge: &Edge<'_>,
    asked: &Asked<'_>,
) -> Result<Vec<Value>, GraphError> {
    let params = Params::of(edge.parameters.iter().copied().chain(edge.fields.map(|fields| ("fields", fields))));
    let report = Report::read(&params, Level::Campaign, times::day(asked.moment.now, &account.time_zone))?;
    Ok(report.rows(account, &[campaign]).into_iter().map(|(_, row)| row).collect())
}

fn account_insights(beta: &Beta, asked: &Asked<'_>, act: &str) -> Answer {
    let account = asked.working_account(beta, act)?;
    let campaigns: Vec<&Campaign> = account.campaigns.values().collect();
    insights(asked, account, &campaigns, Level::Account)
}

fn campaign_insights(beta: &Beta, asked: &Asked<'_>, id: &str) -> Answer {
    let (account, campaign) = asked.campaign(beta, id)?;
    insights(asked, account, &[campaign], Level::Campaign)
}

fn insights(asked: &Asked<'_>, account: &Account, campaigns: &[&Campaign], level: Level) -> Answer {
    let today = times::day(asked.moment.now, &account.time_zone);
    let report = Report::read(&asked.params, level, today)?;
    page(&report.rows(account, campaigns), &asked.reading())
}

fn create(beta: &mut Beta, asked: &Asked<'_>, act: &str) -> Answer {
    asked.caller.may_manage()?;
    let at = asked.caller.account(beta, "POST", act)?;
    let id = beta.last_campaign + 1;
    let account = beta.accounts.get_mut(at).ok_or_else(GraphError::broken)?;
    quirks::check_account(account, asked.moment)?;
    let made = draft::create(&asked.params, account, id, asked.moment.now)?;
    if draft::validates_only(&asked.params)? {
        return Ok(json!({ "success": true }));
    }
    account.campaigns.insert(id, made);
    beta.last_campaign = id;
    Ok(json!({ "id": id.to_string() }))
}

fn update(beta: &mut Beta, asked: &Asked<'_>, id: &str) -> Answer {
    change(beta, asked, id, |account, campaign| {
        let changed = draft::update(&asked.params, account, campaign, asked.moment.now)?;
        let keeps = draft::validates_only(&asked.params)?;
        Ok(if keeps { campaign.clone() } else { changed })
    })
}

/// Deleting is for good, and what is deleted can still be read by its id.
fn delete(beta: &mut Beta, asked: &Asked<'_>, id: &str) -> Answer {
    change(beta, asked, id, |_, campaign| {
        Ok(Campaign { status: Status::Deleted, updated: asked.moment.now, ..campaign.clone() })
    })
}

fn change(
    beta: &mut Beta,
    asked: &Asked<'_>,
    id: &str,
    how: impl FnOnce(&Account, &Campaign) -> Result<Campaign, GraphError>,
) -> Answer {
    asked.caller.may_manage()?;
    let (at, number) = asked.caller.campaign(beta, &asked.request.method, id)?;
    let account = beta.accounts.get_mut(at).ok_or_else(GraphError::broken)?;
    let campaign = account.campaigns.get(&number).ok_or_else(GraphError::broken)?;
    let changed = how(account, campaign)?;
    account.campaigns.insert(number, changed);
    Ok(json!({ "success": true }))
}
