//! The preview of a bulk change shows each campaign before and after, and the totals.

use super::percent::Percent;
use super::unread::Unread;
use crate::client::api::Refusal;
use crate::kit::campaign::status_word;
use crate::kit::large_budget::{KnownBudgets, SomeBudget, sums};
use crate::kit::money::{NO_BUDGET, amount_text, budget_of, span_of};
use rust_decimal::Decimal;
use shared::domain::{Campaign, CampaignStatus, Currency};
use std::collections::BTreeMap;

/// What is done with each of the campaigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Pause,
    Activate,
    Budget(Percent),
    /// Sets all budgets to an amount. They have one currency and one period.
    Set(Decimal),
}

/// A campaign before and after.
pub(super) struct PlannedChange {
    pub(super) id: String,
    pub(super) name: String,
    /// The value of its ad account in the forms.
    pub(super) target: String,
    pub(super) before: String,
    pub(super) after: String,
    /// The exact budgets before and after, for the form.
    pub(super) budget: Option<(String, String)>,
    /// The budget that the campaign has then.
    pub(super) then: SomeBudget,
}

/// A campaign with the reason why the action does not fit it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OtherCampaign {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) reason: String,
}

/// What would be done.
#[derive(Default)]
pub(super) struct BulkPreview {
    pub(super) lines: Vec<PlannedChange>,
    /// Campaigns that stay as they are.
    pub(super) unchanged: Vec<OtherCampaign>,
    /// Campaigns to which the action does not apply. Nothing is done until the person leaves them out.
    pub(super) refused: Vec<OtherCampaign>,
    /// Sums of the budgets, one for each currency and period.
    pub(super) totals: Vec<String>,
    /// The campaigns by the currency and the period of their budgets, if one amount is to fit several of them. Then nothing
    /// is planned.
    pub(super) kinds: Vec<BudgetKind>,
}

/// Campaigns whose budgets have the same currency and period.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BudgetKind {
    /// `USD a day`
    pub(super) unit: String,
    pub(super) ids: Vec<String>,
}

/// Budgets that are added: those of a currency and a period.
#[derive(Default)]
struct Sum {
    before: Decimal,
    after: Decimal,
    /// The sum is larger than a decimal.
    is_too_large: bool,
}

enum LineOutcome {
    Changes(String, String, Option<(Decimal, Decimal)>),
    Stays(String),
    Refused(String),
}

impl Action {
    /// The button that does it: `Change the budgets of 2 campaigns by +10%`. `budget` is the one that all get.
    pub(super) fn button(self, campaigns: &str, budget: &str) -> String {
        match self {
            Action::Pause => format!("Pause {campaigns}"),
            Action::Activate => format!("Activate {campaigns}"),
            Action::Budget(percent) => format!("Change the budgets of {campaigns} by {}%", percent.words()),
            Action::Set(_) => format!("Set the budgets of {campaigns} to {budget}"),
        }
    }

    fn outcome(self, campaign: &Campaign) -> LineOutcome {
        let word = status_word(campaign.status);
        if campaign.status.is_final() {
            return LineOutcome::Refused("It is deleted.".to_owned());
        }
        match (self, campaign.status) {
            (Action::Pause, CampaignStatus::Active) => LineOutcome::Changes(word.to_owned(), "Paused".to_owned(), None),
            (Action::Activate, CampaignStatus::Paused) => {
                LineOutcome::Changes(word.to_owned(), "Active".to_owned(), None)
            }
            (Action::Activate, CampaignStatus::Draft) => {
                LineOutcome::Stays("It is a draft: activate it on its page.".to_owned())
            }
            (Action::Pause | Action::Activate, _) => LineOutcome::Stays(format!("Its status is {word}.")),
            (Action::Budget(percent), _) => new_budget(campaign, |before| percent.of(before, campaign.currency)),
            (Action::Set(amount), _) => new_budget(campaign, |_| fits(amount, campaign.currency)),
        }
    }
}

/// The amount, or why the currency cannot hold it.
fn fits(amount: Decimal, currency: Currency) -> Result<Decimal, String> {
    if amount.scale() <= currency.decimals() {
        return Ok(amount);
    }
    Err(match currency.decimals() {
        0 => format!("{} has no decimals.", currency.code()),
        1 => format!("{} has 1 decimal.", currency.code()),
        number => format!("{} has {number} decimals.", currency.code()),
    })
}

fn new_budget(campaign: &Campaign, of: impl Fn(Decimal) -> Result<Decimal, String>) -> LineOutcome {
    let Some(before) = campaign.budget_amount else {
        return LineOutcome::Refused(format!("It has {NO_BUDGET}."));
    };
    let before = before.normalize();
    let words = |amount| budget_of(Some(amount), campaign.currency, campaign.budget_period);
    match of(before) {
        Ok(after) if after == before => LineOutcome::Stays(format!("Its budget is {} already.", words(after))),
        Ok(after) => LineOutcome::Changes(words(before), words(after), Some((before, after))),
        Err(reason) => LineOutcome::Refused(reason),
    }
}

/// Most campaigns that a question names.
const MAX_NAMED: usize = 5;

impl BulkPreview {
    /// The campaigns whose budgets are then many times those of the others, with how many times (D200). One that is
    /// activated and has spent lately is none of them.
    pub(super) fn large(&self, action: Action, known: &KnownBudgets) -> Vec<(String, String)> {
        let is_asked = |line: &&PlannedChange| match action {
            Action::Pause => false,
            Action::Activate => !known.spends(&line.id),
            Action::Budget(_) | Action::Set(_) => true,
        };
        let lines = self.lines.iter().filter(is_asked);
        let large = lines.filter_map(|line| Some((line.name.clone(), known.leap(Some(&line.id), line.then)?)));
        large.take(MAX_NAMED).collect()
    }

    /// What the platforms may then spend, in words that stand out; nothing for a change that raises no sum by itself.
    pub(super) fn sums(&self, action: Action) -> Vec<String> {
        match action {
            Action::Pause | Action::Budget(_) => Vec::new(),
            Action::Activate | Action::Set(_) => sums(self.lines.iter().map(|line| line.then)),
        }
    }

    /// Plans an action for campaigns, given by their ids, as they are now.
    pub(super) fn of(
        action: Action,
        campaigns: Vec<(String, Result<Campaign, Refusal>)>,
        unread: &Unread,
    ) -> BulkPreview {
        let kinds = kinds(&campaigns);
        if matches!(action, Action::Set(_)) && kinds.len() > 1 {
            return BulkPreview { kinds, ..BulkPreview::default() };
        }
        let mut preview = BulkPreview::default();
        let mut sums: BTreeMap<(&'static str, &'static str), Sum> = BTreeMap::new();
        for (id, campaign) in campaigns {
            let campaign = match campaign {
                Ok(campaign) => campaign,
                Err(refusal) => {
                    preview.refused.push(unread.campaign(id, &refusal));
                    continue;
                }
            };
            match action.outcome(&campaign) {
                LineOutcome::Changes(before, after, budget) => {
                    let of_campaign = budget.or_else(|| campaign.budget_amount.map(|amount| (amount, amount)));
                    if let Some((before, after)) = of_campaign {
                        let period = span_of(campaign.budget_period);
                        sums.entry((campaign.currency.code(), period)).or_default().add(before, after);
                    }
                    let then = SomeBudget {
                        amount: of_campaign.map(|(_, after)| after),
                        period: campaign.budget_period,
                        currency: campaign.currency,
                    };
                    preview.lines.push(PlannedChange {
                        then,
                        target: format!("{}:{}", campaign.id.platform().as_upper(), campaign.account_id),
                        name: campaign.name,
                        budget: budget.map(|(before, after)| (before.to_string(), after.to_string())),
                        id,
                        before,
                        after,
                    });
                }
                LineOutcome::Stays(reason) => preview.unchanged.push(OtherCampaign { id, name: campaign.name, reason }),
                LineOutcome::Refused(reason) => preview.refused.push(OtherCampaign { id, name: campaign.name, reason }),
            }
        }
        preview.totals = sums.iter().map(|((currency, period), sum)| sum.words(action, currency, period)).collect();
        preview
    }
}

/// The campaigns by the currency and the period of their budgets.
fn kinds(campaigns: &[(String, Result<Campaign, Refusal>)]) -> Vec<BudgetKind> {
    let mut kinds: Vec<BudgetKind> = Vec::new();
    for (id, campaign) in campaigns {
        let Some(campaign) = campaign.as_ref().ok().filter(|campaign| campaign.budget_amount.is_some()) else {
            continue;
        };
        let unit = format!("{}{}", campaign.currency.code(), span_of(campaign.budget_period));
        match kinds.iter_mut().find(|kind| kind.unit == unit) {
            Some(kind) => kind.ids.push(id.clone()),
            None => kinds.push(BudgetKind { unit, ids: vec![id.clone()] }),
        }
    }
    kinds
}

impl Sum {
    fn add(&mut self, before: Decimal, after: Decimal) {
        match (self.before.checked_add(before), self.after.checked_add(after)) {
            (Some(before), Some(after)) => (self.before, self.after) = (before, after),
            _ => self.is_too_large = true,
        }
    }

    /// `120.00 to 132.00 USD a day`
    fn words(&self, action: Action, currency: &str, period: &str) -> String {
        if self.is_too_large {
            return format!("too large to add up, in {currency}{period}");
        }
        let after = format!("{} {currency}{period}", amount_text(self.after, currency));
        match action {
            Action::Budget(_) | Action::Set(_) => format!("{} to {after}", amount_text(self.before, currency)),
            Action::Pause | Action::Activate => after,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::campaign_sample as sample;
    use crate::kit::large_budget::tests::known;

    fn campaign(
        number: usize,
        status: CampaignStatus,
        budget: Option<&str>,
        currency: &str,
    ) -> (String, Result<Campaign, Refusal>) {
        let id = format!("alpha_1_{number}");
        let campaign = Campaign {
            name: format!("C{number}"),
            status,
            budget_amount: budget.map(|budget| Decimal::from_str_exact(budget).unwrap()),
            currency: Currency::from_code(currency).unwrap(),
            ..sample::campaign(&id)
        };
        (id, Ok(campaign))
    }

    fn budget(percent: &str) -> Action {
        Action::Budget(Percent::parse(percent).unwrap())
    }

    #[test]
    fn budgets_are_shown_before_and_after_with_totals_by_currency() {
        let campaigns = vec![
            campaign(1, CampaignStatus::Active, Some("10"), "USD"),
            campaign(2, CampaignStatus::Paused, Some("12.50"), "USD"),
            campaign(3, CampaignStatus::Active, Some("1000"), "JPY"),
        ];
        let preview = BulkPreview::of(budget("+10"), campaigns, &Unread::default());
        let lines: Vec<_> =
            preview.lines.iter().map(|line| format!("{} {} -> {}", line.name, line.before, line.after)).collect();
        assert_eq!(
            lines,
            [
                "C1 10.00 USD a day -> 11.00 USD a day",
                "C2 12.50 USD a day -> 13.75 USD a day",
                "C3 1,000 JPY a day -> 1,100 JPY a day"
            ]
        );
        assert_eq!(preview.totals, ["1,000 to 1,100 JPY a day", "22.50 to 24.75 USD a day"]);
        assert_eq!(preview.lines[1].budget, Some(("12.5".to_owned(), "13.75".to_owned())));
        assert!(preview.refused.is_empty() && preview.unchanged.is_empty());
    }

    #[test]
    fn a_row_that_does_not_fit_is_refused_with_its_reason() {
        let refusal = Refusal {
            status: 404,
            message: "No campaign.".to_owned(),
            details: Vec::new(),
            reason: None,
            request_id: "r".to_owned(),
        };
        let campaigns = vec![
            campaign(1, CampaignStatus::Active, Some("10"), "USD"),
            campaign(2, CampaignStatus::Active, Some("10.05"), "USD"),
            campaign(3, CampaignStatus::Active, None, "USD"),
            campaign(4, CampaignStatus::Archived, Some("10"), "USD"),
            ("alpha_1_5".to_owned(), Err(refusal)),
        ];
        let kept = crate::kit::campaign::tests::campaign("alpha_1_5", CampaignStatus::Active);
        let unread = Unread { kept: [("alpha_1_5".to_owned(), kept)].into(), connections: Vec::new() };
        let preview = BulkPreview::of(budget("+10"), campaigns, &unread);
        let refused: Vec<_> = preview.refused.iter().map(|one| format!("{}: {}", one.name, one.reason)).collect();
        let expected = [
            "C2: It would be 11.055 USD, and USD has 2 decimals.",
            "C3: It has no budget of its own.",
            "C4: It is deleted.",
            "Spring: Google Ads: No campaign.",
        ];
        assert_eq!((refused, preview.lines.len()), (expected.map(str::to_owned).to_vec(), 1));
    }

    #[test]
    fn one_amount_is_for_one_currency_and_period() {
        let set = |amount: &str, campaigns| {
            BulkPreview::of(Action::Set(Decimal::from_str_exact(amount).unwrap()), campaigns, &Unread::default())
        };
        let dollars = || {
            vec![
                campaign(1, CampaignStatus::Active, Some("10"), "USD"),
                campaign(2, CampaignStatus::Paused, Some("60"), "USD"),
            ]
        };
        let preview = set("60", dollars());
        assert_eq!(
            (preview.lines[0].after.as_str(), preview.totals.as_slice()),
            ("60.00 USD a day", &["10.00 to 60.00 USD a day".to_owned()][..])
        );
        assert_eq!(preview.unchanged[0].reason, "Its budget is 60.00 USD a day already.");
        assert_eq!(set("60.125", dollars()).refused[0].reason, "USD has 2 decimals.");
        let yen = campaign(3, CampaignStatus::Active, Some("900"), "JPY");
        let mixed = set("60", dollars().into_iter().chain([yen]).collect());
        let kinds: Vec<_> = mixed.kinds.iter().map(|kind| (kind.unit.as_str(), kind.ids.len())).collect();
        assert_eq!(
            (kinds, mixed.lines.len()),
            (vec![("USD a day", 2), ("JPY a day", 1)], 0),
            "60 dollars are no 60 yen"
        );
    }

    #[test]
    fn a_budget_that_is_set_to_many_times_the_others_is_asked_about() {
        let campaigns = || vec![campaign(1, CampaignStatus::Active, Some("10"), "USD")];
        let others = known(&[50]);
        let large = |action: Action| BulkPreview::of(action, campaigns(), &Unread::default()).large(action, &others);
        let times = "10 times the largest daily budget of your other campaigns in USD, 50.00";
        assert_eq!(large(Action::Set(500.into())), [("C1".to_owned(), times.to_owned())]);
        assert!(large(Action::Set(499.into())).is_empty() && large(Action::Pause).is_empty());
        let set = Action::Set(Decimal::from(1_000_000_000));
        assert_eq!(
            BulkPreview::of(set, campaigns(), &Unread::default()).sums(set),
            ["1,000,000,000.00 USD a day, 30,400,000,000.00 USD a month (30.4 days)"]
        );
    }

    #[test]
    fn only_active_campaigns_are_paused_and_only_paused_ones_activated() {
        let all = || {
            [CampaignStatus::Active, CampaignStatus::Paused, CampaignStatus::Draft]
                .into_iter()
                .zip(1..)
                .map(|(status, number)| campaign(number, status, Some("10"), "USD"))
                .collect()
        };
        let names = |preview: &BulkPreview| {
            preview.lines.iter().map(|line| format!("{} {} {}", line.name, line.before, line.after)).collect::<Vec<_>>()
        };
        let paused = BulkPreview::of(Action::Pause, all(), &Unread::default());
        assert_eq!(
            (names(&paused), paused.totals.clone()),
            (vec!["C1 Active Paused".to_owned()], vec!["10.00 USD a day".to_owned()])
        );
        let activated = BulkPreview::of(Action::Activate, all(), &Unread::default());
        assert_eq!((names(&activated), activated.unchanged.len()), (vec!["C2 Paused Active".to_owned()], 2));
    }
}
