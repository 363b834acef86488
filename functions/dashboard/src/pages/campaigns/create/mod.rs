//! The page that creates a campaign.

mod account_choices;
mod checks;
mod fields;
mod form;
mod large_budgets;
mod outcome;
mod preview;
mod request;
mod rows;
mod send;

pub(crate) use preview::{preview, show_preview};
pub(crate) use send::create;

use crate::client::accounts;
use crate::client::api::{Api, Refusal};
use crate::client::campaigns;
use crate::client::preview_form;
use crate::client::session::SignedIn;
use crate::kit::addresses::CAMPAIGNS;
use crate::kit::campaign_forms::{AccountValues, TARGETS_FIELD};
use crate::kit::money;
use crate::pages::layout::{self, Layout};
use account_choices::AccountChoices;
use askama::Template;
use form::CreateForm;
use rows::{MAX_ROWS, named_accounts, offered_accounts};
use shared::domain::{BudgetPeriod, Campaign, Goal, MAX_NAME_CHARS};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::envelope::request::MAX_TARGETS;
use shared::error::Error;
use shared::serve::WebRequest;

/// The end of the name of a copy.
const COPY: &str = " (copy)";

#[derive(Template)]
#[template(path = "pages/campaigns/create/new_campaign.html")]
struct NewCampaignPage {
    layout: Layout,
    form: CreateForm,
    /// The ad accounts to choose from first, if they are many.
    choices: Option<AccountChoices>,
    most: usize,
    /// Why the ad accounts are not known.
    no_accounts: Option<String>,
    /// Whether any account is connected.
    is_connected: bool,
    /// Whether there are more accounts than the form has rows.
    is_part: bool,
    /// Why the campaign to copy is not known.
    no_copy: Option<String>,
}

/// Shows the page: empty, with the form that failed, with one that waits, or as a copy of a campaign.
pub(crate) async fn show(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let api = Api::new(request, person);
    let like = value(&request.query, "like").filter(|id| !id.is_empty());
    let (connected, copied) = tokio::join!(accounts::connections(&api), copied_values(&api, like));
    let (copied, no_copy) = copied.map_or_else(|refusal| (None, Some(refusal.in_full())), |copied| (copied, None));
    let (connections, no_accounts) =
        connected.map_or_else(|refusal| (Vec::new(), Some(refusal.in_full())), |connections| (connections, None));
    let layout = Layout::signed_in(request, "New campaign", CAMPAIGNS, person);
    let waiting = || value(&request.query, "draft").and_then(|_| preview_form::find(request, person));
    let values = CreateForm::values(layout.notice.as_ref()).or(copied).or_else(waiting);
    let values = values.unwrap_or_else(|| chosen_accounts(&request.query));
    let has_targets = person.account.customer.plan.limits().has_targets;
    let is_connected = !connections.is_empty();
    let is_part = connections.iter().filter(|known| known.is_active()).count() > MAX_ROWS;
    let named = named_accounts(&values);
    let is_choice = is_part && (named.is_empty() || AccountChoices::is_search(&request.query));
    let choices = is_choice.then(|| AccountChoices::of(&connections, &named, &request.query));
    let offered = offered_accounts(connections, &values);
    let form = CreateForm::from_form(&values, layout.notice.as_ref(), &offered, has_targets);
    let page = NewCampaignPage {
        form,
        choices,
        most: if has_targets { MAX_TARGETS } else { 1 },
        no_accounts,
        is_connected,
        is_part,
        no_copy,
        layout,
    };
    Ok(layout::show(request, &page))
}

/// The form with the values of a campaign, without its dates.
async fn copied_values(api: &Api<'_>, like: Option<&str>) -> Result<Option<Vec<(String, String)>>, Refusal> {
    let Some(id) = like else { return Ok(None) };
    campaigns::one(api, id).await.map(|campaign| Some(copy(&campaign)))
}

fn copy(campaign: &Campaign) -> Vec<(String, String)> {
    let room = MAX_NAME_CHARS.saturating_sub(COPY.chars().count());
    let name: String = campaign.name.chars().take(room).collect();
    let amount = campaign.budget_amount.map(|amount| money::form_amount(amount, campaign.currency.code()));
    let period = campaign.budget_period.map(|period| match period {
        // Two names of the same period.
        BudgetPeriod::Total | BudgetPeriod::Lifetime => BudgetPeriod::Lifetime.as_str(),
        BudgetPeriod::Daily | BudgetPeriod::Monthly => period.as_str(),
    });
    let goal = campaign.goal.map(|goal| match goal {
        // Two names of the same goal.
        Goal::Conversions | Goal::Sales => Goal::Sales.as_str(),
        Goal::BrandAwareness | Goal::Reach | Goal::WebsiteTraffic | Goal::Leads | Goal::AppPromotion => goal.as_str(),
    });
    let own = [amount.unwrap_or_default(), period.unwrap_or_default().to_owned(), String::new(), String::new()];
    let target = format!("{}:{}", campaign.id.platform().as_upper(), campaign.account_id);
    let account = AccountValues::of(target, own);
    let named = [("name", format!("{}{COPY}", name.trim_end())), ("goal", goal.unwrap_or_default().to_owned())];
    named.into_iter().map(|(name, value)| (name.to_owned(), value)).chain([account.pack()]).collect()
}

/// The form with the accounts that a person has chosen out of many.
fn chosen_accounts(query: &[(String, String)]) -> Vec<(String, String)> {
    query.iter().filter(|(name, _)| name == TARGETS_FIELD).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::rows::tests::connection;
    use super::*;
    use crate::client::accounts::Connection;
    use crate::client::notice::Notice;
    use crate::kit::campaign_sample::campaign;
    use crate::kit::form_errors::{Detail, FormError};
    use rust_decimal::Decimal;

    const HOSTILE: &str = "\"><script>alert(1)</script>";

    fn page(connections: &[Connection], notice: Option<Notice>) -> String {
        let layout = Layout { notice, ..Layout::signed_out("New campaign") };
        let values = CreateForm::values(layout.notice.as_ref()).unwrap_or_default();
        let form = CreateForm::from_form(&values, layout.notice.as_ref(), connections, true);
        let (no_accounts, no_copy) = (None, None);
        let page = NewCampaignPage {
            layout,
            form,
            choices: None,
            most: MAX_TARGETS,
            no_accounts,
            is_connected: true,
            is_part: false,
            no_copy,
        };
        page.render().unwrap()
    }

    fn many(count: usize) -> Vec<Connection> {
        (0..count).map(|at| connection("gamma_ads", &format!("70123456789012345{at:02}"), "ACTIVE")).collect()
    }

    #[test]
    fn a_full_page_is_small_and_its_ids_are_unique() {
        let connections = many(MAX_ROWS);
        let html = page(&connections, None);
        assert!(html.len() < 40_000, "{} bytes", html.len());
        let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }

    #[test]
    fn many_accounts_are_chosen_first_with_a_search_that_keeps_what_is_ticked() {
        let connections = many(MAX_ROWS + 1);
        let ticked = vec![connections[0].target()];
        let query = [("search".to_owned(), HOSTILE.to_owned())];
        let found = |query: &[(String, String)]| {
            let page = NewCampaignPage {
                layout: Layout::signed_out("New campaign"),
                form: CreateForm::from_form(&[], None, &[], true),
                choices: Some(AccountChoices::of(&connections, &ticked, query)),
                most: MAX_TARGETS,
                no_accounts: None,
                is_connected: true,
                is_part: true,
                no_copy: None,
            };
            page.render().unwrap()
        };
        let all = found(&[]);
        assert_eq!(all.matches("name=\"targets\"").count(), MAX_ROWS + 1, "{all}");
        assert!(!all.contains("Clear the search"), "{all}");
        let none = found(&query);
        assert_eq!((none.matches("name=\"targets\"").count(), none.matches(" checked").count()), (1, 1), "{none}");
        assert!(none.contains("1 of 21 ad accounts") && !none.contains("<script>alert"), "{none}");
        let search = none.find("name=\"find\"").unwrap();
        assert!(search < none.find(">Set the budgets</button>").unwrap(), "Enter in the field searches");
    }

    #[test]
    fn an_error_stands_in_the_summary_and_at_its_field() {
        let connections = many(2);
        let target = connections[0].target();
        let id = format!("budget_amount.{target}");
        let error = FormError { at: HOSTILE.to_owned(), ..FormError::new(id.clone(), "Write an amount.") };
        let values = [("goal", "LEADS"), ("name", HOSTILE), ("targets", target.as_str())];
        let values: Vec<_> = values.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let html = page(&connections, Some(Notice::wrong(vec![error], &values)));
        for text in [
            "<title>Error: New campaign",
            &format!("<a href=\"#{id}\">"),
            &format!("aria-describedby=\"{id}-error\" aria-invalid=\"true\""),
            &format!("<p class=\"error\" id=\"{id}-error\">Write an amount.</p>"),
            &format!("value=\"{target}\" checked"),
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
        assert!(!html.contains("<script>alert"), "{html}");
    }

    #[test]
    fn a_create_in_part_is_green_where_it_is_made_and_amber_where_not() {
        let connections = many(2);
        let refused = vec![FormError { at: HOSTILE.to_owned(), ..FormError::new("name", "Too low.") }];
        let made = vec![Detail { field: "Meta: 7".to_owned(), message: "created, and paused".to_owned() }];
        let part = Notice { errors: refused, details: made, ..Notice::part("In 1 of 2.") };
        let html = page(&connections, Some(part.clone()));
        assert!(html.contains("<div class=\"notice outcome part\"") && !html.contains("<script>alert"), "{html}");
        let at = |text: &str| html.find(text).unwrap();
        assert!(at("badge good\">Done") < at("Meta: 7") && at("Meta: 7") < at("badge warn\">Not done"), "{html}");
        let failed = page(&connections, Some(Notice { is_part: false, ..part }));
        assert!(!failed.contains("badge good\">Done") && failed.contains("notice outcome bad"), "{failed}");
    }

    #[test]
    fn a_copy_has_the_values_of_the_campaign_but_its_dates() {
        let values = copy(&Campaign {
            name: "é".repeat(255),
            budget_amount: Some(Decimal::new(255, 1)),
            budget_period: Some(BudgetPeriod::Total),
            end_at: Some("2026-12-24T00:00:00Z".parse().unwrap()),
            ..campaign("beta_7_1")
        });
        let name = value(&values, "name").unwrap();
        assert!(name.ends_with("é (copy)") && name.chars().count() == MAX_NAME_CHARS, "{name}");
        let form = CreateForm::from_form(&values, None, &[connection("beta_ads", "7", "ACTIVE")], true);
        let row = &form.rows[0];
        assert_eq!((row.is_chosen, row.line.amount.value.as_str(), row.line.end.value.as_str()), (true, "25.50", ""));
        assert!(row.line.periods.iter().any(|period| period.is_chosen && period.value == "LIFETIME"));
    }
}
