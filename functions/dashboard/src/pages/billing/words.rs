//! What the page says of a subscription, of a checkout, and of a refused one.

use crate::client::api::Refusal;
use crate::client::notice::Notice;
use crate::kit::money::in_currency;
use crate::kit::plans;
use crate::kit::text::readable;
use shared::domain::{Plan, SubscriptionState};
use shared::payments::PlanPrice;

/// The plan that is used now, for people: what it costs, how long it lasts, and what is paid next.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) name: String,
    pub(super) badge: &'static str,
    pub(super) costs: String,
    pub(super) until: String,
    pub(super) next: String,
}

/// The standing of a customer. `prices` are those of new subscriptions, as far as the payment provider returns them.
pub(super) fn standing(
    state: Option<&SubscriptionState>,
    plan: Plan,
    prices: impl Fn(Plan) -> Option<PlanPrice>,
) -> Standing {
    let of = |name: &str, badge, costs: String, until: String, next: String| Standing {
        name: name.to_owned(),
        badge,
        costs,
        until,
        next,
    };
    let nothing = || "Nothing".to_owned();
    let later = || match plan {
        Plan::Starter => "Nothing, until you choose another plan".to_owned(),
        Plan::Pro | Plan::Enterprise => nothing(),
    };
    let Some(state) = state else {
        let costs = match plan {
            Plan::Starter => "Nothing: it is free".to_owned(),
            Plan::Pro | Plan::Enterprise => "Nothing: there is no subscription".to_owned(),
        };
        return of("Active", "good", costs, "None".to_owned(), later());
    };
    let known = prices(state.plan);
    let costs = known.as_ref().map_or_else(|| "The billing portal shows the price".to_owned(), price);
    let sum = known.map_or_else(
        || "What the billing portal shows".to_owned(),
        |known| format!("{}, without tax", in_currency(known.amount, known.currency)),
    );
    let end = readable(state.period_end);
    let name = capital(&state.status.as_str().replace('_', " "));
    match state.status.as_str() {
        "active" | "trialing" if state.cancel_at_period_end => {
            of(&name, "warn", costs, format!("It ends on {end}. Then you have Starter, which is free."), nothing())
        }
        "active" | "trialing" => of(&name, "good", costs, format!("It renews on {end}."), format!("{sum}, on {end}")),
        "past_due" => {
            let until = "The last payment failed. Update the payment method to keep the plan.".to_owned();
            of(&name, "warn", costs, until, format!("{sum}, now"))
        }
        _ if state.status.is_terminal() => of(&name, "plain", nothing(), "It has ended.".to_owned(), later()),
        _ => {
            let until = "It is not paid for. Complete the payment in the billing portal.".to_owned();
            of(&name, "bad", costs, until, format!("{sum}, now"))
        }
    }
}

/// What a plan costs in the comparison: a plan that is used without a subscription costs nothing, and Starter costs
/// something only where a subscription is of it. Empty for a price that is not known.
pub(super) fn plan_price(
    plan: Plan,
    current: Plan,
    live: Option<&SubscriptionState>,
    listed: Option<&PlanPrice>,
) -> String {
    match live {
        None if plan == current && plan != Plan::Starter => "Free for you".to_owned(),
        None if plan == Plan::Starter => "Free".to_owned(),
        Some(state) if plan == Plan::Starter && state.plan != plan => "Free".to_owned(),
        _ => listed.map(price).unwrap_or_default(),
    }
}

/// The connections of a plan: `25 of 25 connections used` for the one that is used, and what a smaller one has no room for.
pub(super) fn connections(plan: Plan, current: Plan, used: usize) -> String {
    match plan.limits().connections {
        Some(most) if plan == current => format!("{used} of {most} connections used"),
        None if plan == current => format!("{used} used, no limit"),
        Some(most) if used > most => format!("{most}, so you would have to remove {} of your {used}", used - most),
        Some(most) => most.to_string(),
        None => "no limit".to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What has come of a visit of the payment provider's pages, by the name in the address that led back. The plan is the
/// stored one, because anyone can make such an address.
pub(super) fn outcome(name: &str, plan: Plan) -> Option<Notice> {
    const LATER: &str = "If you have paid, nothing is lost: your plan changes by itself.";
    let (is_success, message) = match name {
        "paid" if plan != Plan::Starter => (true, format!("Thank you. Your plan is {}.", plans::name(plan))),
        "paid" | "pending" => (true, "Thank you. Your plan changes by itself once the payment has arrived.".to_owned()),
        "unpaid" => (false, "Nothing was paid, and your plan is unchanged.".to_owned()),
        "canceled" => (true, "Canceled. Your plan is unchanged.".to_owned()),
        "back" => (true, "Welcome back. What you changed applies within seconds.".to_owned()),
        "unconfirmed" => (false, format!("The payment provider has not confirmed your payment yet. {LATER}")),
        "unknown" => (false, format!("There is no such checkout, so there is nothing to confirm. {LATER}")),
        _ => return None,
    };
    Some(Notice { is_success, ..Notice::success(message) })
}

/// Why neither checkout nor portal opens.
pub(super) fn not_opened(refusal: Refusal) -> Notice {
    let message = match refusal.status {
        409 => "You have a subscription already. Change or cancel it in the billing portal below.",
        502 | 504 => "The payment provider did not answer. Nothing was charged. Try again.",
        _ => return Notice::failure(refusal, &[]),
    };
    Notice::failure(Refusal { message: message.to_owned(), ..refusal }, &[])
}

/// `99.00 USD a month`
pub(super) fn price(price: &PlanPrice) -> String {
    let PlanPrice { amount, currency, interval, interval_count } = price;
    let amount = in_currency(*amount, *currency);
    match interval_count {
        1 => format!("{amount} a {interval}"),
        count => format!("{amount} every {count} {interval}s"),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rust_decimal::Decimal;
    use shared::domain::{Currency, SubscriptionStatus};

    pub(in crate::pages::billing) fn state(status: &str, cancel_at_period_end: bool) -> SubscriptionState {
        SubscriptionState {
            subscription_id: "sub_1".to_owned(),
            status: SubscriptionStatus::new(status),
            plan: Plan::Pro,
            period_start: "2026-11-01T00:00:00Z".parse().unwrap(),
            period_end: "2026-12-01T00:00:00Z".parse().unwrap(),
            cancel_at_period_end,
        }
    }

    /// The price of a month.
    fn listed(plan: Plan) -> Option<PlanPrice> {
        let amount = match plan {
            Plan::Starter => 29,
            Plan::Pro => 99,
            Plan::Enterprise => 499,
        };
        let currency = Currency::from_code("USD").unwrap();
        Some(PlanPrice { amount: Decimal::from(amount), currency, interval: "month".to_owned(), interval_count: 1 })
    }

    #[test]
    fn a_status_says_what_follows_from_it() {
        for (name, cancels, shown, badge, word, next) in [
            ("active", false, "Active", "good", "renews on 1 Dec 2026", "99.00 USD, without tax, on 1 Dec 2026"),
            ("active", true, "Active", "warn", "ends on 1 Dec 2026", "Nothing"),
            ("past_due", false, "Past due", "warn", "failed", "99.00 USD, without tax, now"),
            ("canceled", false, "Canceled", "plain", "has ended", "Nothing"),
            ("incomplete", false, "Incomplete", "bad", "not paid", "99.00 USD, without tax, now"),
            ("a_word_of_tomorrow", false, "A word of tomorrow", "bad", "not paid", "99.00 USD"),
        ] {
            let standing = standing(Some(&state(name, cancels)), Plan::Pro, listed);
            assert_eq!((standing.badge, standing.name.as_str()), (badge, shown), "{name}");
            assert!(standing.until.contains(word) && standing.next.starts_with(next), "{standing:?}");
            let is_over = name == "canceled";
            assert_eq!(standing.costs, if is_over { "Nothing" } else { "99.00 USD a month" }, "{name}");
        }
        let unknown = standing(Some(&state("active", false)), Plan::Pro, |_| None);
        assert_eq!(unknown.costs, "The billing portal shows the price");
        let without = |plan| standing(None, plan, listed);
        assert_eq!((without(Plan::Starter).name.as_str(), without(Plan::Pro).name.as_str()), ("Active", "Active"));
        assert_eq!(without(Plan::Starter).costs, "Nothing: it is free");
        assert_eq!(without(Plan::Starter).next, "Nothing, until you choose another plan");
        assert_eq!(without(Plan::Pro).costs, "Nothing: there is no subscription");
    }

    #[test]
    fn a_plan_that_costs_nothing_has_no_price_beside_it() {
        let live = state("active", false);
        let shown = |plan, current, live| plan_price(plan, current, live, listed(plan).as_ref());
        assert_eq!(shown(Plan::Starter, Plan::Starter, None), "Free");
        assert_eq!(shown(Plan::Pro, Plan::Starter, None), "99.00 USD a month");
        assert_eq!(shown(Plan::Pro, Plan::Pro, None), "Free for you");
        assert_eq!(shown(Plan::Starter, Plan::Pro, Some(&live)), "Free", "after the subscription");
        let of_starter = SubscriptionState { plan: Plan::Starter, ..live.clone() };
        assert_eq!(shown(Plan::Starter, Plan::Starter, Some(&of_starter)), "29.00 USD a month");
        assert_eq!(plan_price(Plan::Pro, Plan::Starter, None, None), "");
    }

    #[test]
    fn the_way_back_tells_the_stored_plan() {
        let told = |name, plan| outcome(name, plan).map(|notice| (notice.is_success, notice.message));
        assert_eq!(told("paid", Plan::Pro), Some((true, "Thank you. Your plan is Pro.".to_owned())));
        assert!(told("paid", Plan::Starter).unwrap().1.contains("once the payment has arrived"));
        assert_eq!(told("canceled", Plan::Pro), Some((true, "Canceled. Your plan is unchanged.".to_owned())));
        assert!(!told("unpaid", Plan::Pro).unwrap().0 && !told("unconfirmed", Plan::Pro).unwrap().0);
        assert_eq!(told("<b>", Plan::Pro), None);
    }

    #[test]
    fn a_price_has_its_interval() {
        let of = |amount, interval_count| PlanPrice {
            amount,
            currency: Currency::from_code("USD").unwrap(),
            interval: "month".to_owned(),
            interval_count,
        };
        assert_eq!(price(&of(Decimal::from(99), 1)), "99.00 USD a month");
        assert_eq!(price(&of(Decimal::from(1_234), 3)), "1,234.00 USD every 3 months");
    }

    #[test]
    fn a_failed_checkout_names_no_request() {
        let refusal = |status| Refusal {
            status,
            message: "see POST /v1/billing/portal".to_owned(),
            details: Vec::new(),
            reason: None,
            request_id: "1".to_owned(),
        };
        assert!(not_opened(refusal(409)).message.ends_with("in the billing portal below."));
        assert!(not_opened(refusal(502)).message.contains("Nothing was charged. Try again."));
        assert_eq!(not_opened(refusal(403)).message, refusal(403).message);
    }

    #[test]
    fn a_plan_says_what_is_used_and_what_has_no_room() {
        let most = |plan: Plan| plan.limits().connections.unwrap();
        let (starter, pro) = (most(Plan::Starter), most(Plan::Pro));
        let of = |plan, current| connections(plan, current, pro);
        assert_eq!(of(Plan::Pro, Plan::Pro), format!("{pro} of {pro} connections used"));
        let over = format!("{starter}, so you would have to remove {} of your {pro}", pro - starter);
        assert_eq!(of(Plan::Starter, Plan::Pro), over);
        assert_eq!(connections(Plan::Pro, Plan::Starter, 1), pro.to_string());
    }
}
