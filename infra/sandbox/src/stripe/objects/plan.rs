//! The three plans, each with one monthly price in USD.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Creation time of the products and prices: 1 January 2026.
const CREATED: i64 = 1_767_225_600;

/// A plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Plan {
    Starter,
    Pro,
    Enterprise,
}

/// All plans, cheapest first.
pub(crate) const PLANS: [Plan; 3] = [Plan::Starter, Plan::Pro, Plan::Enterprise];

impl Plan {
    /// The plan with a price id.
    pub(crate) fn from_price(price: &str) -> Option<Self> {
        PLANS.into_iter().find(|plan| plan.price_id() == price)
    }

    /// Id of the price.
    pub(crate) fn price_id(self) -> &'static str {
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

    /// Name on pages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Starter => "Starter",
            Self::Pro => "Pro",
            Self::Enterprise => "Enterprise",
        }
    }

    /// Price of a month in cents.
    pub(crate) fn cents(self) -> u64 {
        match self {
            Self::Starter => 2_900,
            Self::Pro => 9_900,
            Self::Enterprise => 49_900,
        }
    }

    /// Price of a month: `$29.00`.
    pub(crate) fn dollars(self) -> String {
        dollars(self.cents())
    }

    /// `price` object.
    pub(crate) fn price_object(self) -> Value {
        json!({
            "id": self.price_id(), "object": "price", "active": true, "billing_scheme": "per_unit", "created": CREATED,
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

    /// The older `plan` object, which subscription items carry beside the price.
    pub(crate) fn plan_object(self) -> Value {
        json!({
            "id": self.price_id(), "object": "plan", "active": true, "amount": self.cents(),
            "amount_decimal": self.cents().to_string(), "billing_scheme": "per_unit", "created": CREATED,
            "currency": "usd", "interval": "month", "interval_count": 1, "livemode": false, "metadata": {},
            "meter": null, "nickname": null, "product": self.product(), "tiers_mode": null, "transform_usage": null,
            "trial_period_days": null, "usage_type": "licensed",
        })
    }
}

/// Formats cents: `$29.00`.
pub(crate) fn dollars(cents: u64) -> String {
    format!("${}.{:02}", cents / 100, cents % 100)
}
