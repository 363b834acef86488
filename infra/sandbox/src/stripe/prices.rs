//! What can be bought: three plans, each with one monthly price in USD.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The moment at which products and prices were made: 1 January 2026.
const MADE: i64 = 1_767_225_600;

/// What a subscription is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Plan {
    Starter,
    Pro,
    Enterprise,
}

/// All of them, the cheapest first.
pub(super) const PLANS: [Plan; 3] = [Plan::Starter, Plan::Pro, Plan::Enterprise];

impl Plan {
    /// The plan of a price.
    pub(super) fn priced(price: &str) -> Option<Self> {
        PLANS.into_iter().find(|plan| plan.price() == price)
    }

    /// The id of its price.
    pub(super) fn price(self) -> &'static str {
        match self {
            Self::Starter => "price_starter",
            Self::Pro => "price_pro",
            Self::Enterprise => "price_enterprise",
        }
    }

    fn product(self) -> &'static str {
        match self {
            Self::Starter => "prod_starter",
            Self::Pro => "prod_pro",
            Self::Enterprise => "prod_enterprise",
        }
    }

    /// For people.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Starter => "Starter",
            Self::Pro => "Pro",
            Self::Enterprise => "Enterprise",
        }
    }

    /// Cents a month.
    pub(super) fn cents(self) -> u64 {
        match self {
            Self::Starter => 2_900,
            Self::Pro => 9_900,
            Self::Enterprise => 49_900,
        }
    }

    /// `price` object.
    pub(super) fn price_object(self) -> Value {
        json!({
            "id": self.price(), "object": "price", "active": true, "billing_scheme": "per_unit", "created": MADE,
            "currency": "usd", "custom_unit_amount": null, "livemode": false, "lookup_key": null, "metadata": {},
            "nickname": null, "product": self.product(),
            "recurring": {
                "interval": "month", "interval_count": 1, "meter": null, "trial_period_days": null,
                "usage_type": "licensed",
            },
            "tax_behavior": "unspecified", "tiers_mode": null, "transform_quantity": null, "type": "recurring",
            "unit_amount": self.cents(), "unit_amount_decimal": self.cents().to_string(),
        })
    }

    /// The older `plan` object, which items still carry beside the price.
    pub(super) fn plan_object(self) -> Value {
        json!({
            "id": self.price(), "object": "plan", "active": true, "amount": self.cents(),
            "amount_decimal": self.cents().to_string(), "billing_scheme": "per_unit", "created": MADE,
            "currency": "usd", "interval": "month", "interval_count": 1, "livemode": false, "metadata": {},
            "meter": null, "nickname": null, "product": self.product(), "tiers_mode": null, "transform_usage": null,
            "trial_period_days": null, "usage_type": "licensed",
        })
    }
}

/// Cents as people read them.
pub(super) fn dollars(cents: u64) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}
