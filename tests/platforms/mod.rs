//! One scenario, run against every platform of the sandbox, and the list of platforms for tests that have one each.
//!
//! A new platform is a `mod` in [`each_platform`] and a row in [`case`].

mod campaign_defaults;
mod dates;
mod endless_pages;
mod gateway_pages;
mod linkedin_end;
mod meta_pages;
mod operator_errors;
mod pinterest_reddit_dates;
mod quirks;
mod refusals;
pub(crate) mod scenario;
mod table;

use shared::domain::Platform;

/// Expands a macro of tests for each platform, in a module with the platform's name.
macro_rules! each_platform {
    ($tests:ident) => {
        mod alpha {
            super::$tests! { shared::domain::Platform::Alpha }
        }
        mod beta {
            super::$tests! { shared::domain::Platform::Beta }
        }
        mod gamma {
            super::$tests! { shared::domain::Platform::Gamma }
        }
        mod delta {
            super::$tests! { shared::domain::Platform::Delta }
        }
        mod epsilon {
            super::$tests! { shared::domain::Platform::Epsilon }
        }
        mod zeta {
            super::$tests! { shared::domain::Platform::Zeta }
        }
    };
}
pub(crate) use each_platform;

/// The differences between platforms that a caller can see.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    /// Lower-case name.
    pub(crate) platform: &'static str,
    /// Upper-case name.
    upper: &'static str,
    /// Whether two campaigns of an account may have the same name.
    pub(crate) names_repeat: bool,
    /// Whether access tokens can be refreshed without the user.
    pub(crate) refreshes: bool,
    /// Whether the platform ends a grant on request.
    pub(crate) revokes: bool,
    /// A create that only the platform itself refuses.
    refusal: Option<Refusal>,
    /// Further differences, when every quirk of the platform is on.
    quirk_effects: &'static [QuirkEffect],
    /// Whether every quirk of the platform is on.
    has_quirks: bool,
}

/// A create that only the platform itself refuses.
#[derive(Clone, Copy)]
struct Refusal {
    /// In an account of this currency.
    currency: &'static str,
    /// The field at fault.
    field: &'static str,
    /// The value of the field.
    value: &'static str,
}

/// A difference that a quirk makes to a caller.
#[derive(Clone, Copy, PartialEq)]
enum QuirkEffect {
    /// A read fails for a moment.
    FailedRead,
    /// The spend of a campaign that never ran is null.
    NullSpend,
    /// A refusal does not name its field.
    UnnamedField,
    /// Ids do not rise with time.
    UnorderedIds,
}

/// An end in the past.
const PAST_END: Option<Refusal> = Some(Refusal { currency: "USD", field: "end_at", value: "\"2020-01-01\"" });
/// A budget below the minimum of the currency.
const TOO_SMALL: Option<Refusal> = Some(Refusal { currency: "JPY", field: "budget_amount", value: "1" });
/// A budget below the platform's minimum in a currency where the service does not know it.
const BELOW_MINIMUM: Option<Refusal> = Some(Refusal { currency: "EUR", field: "budget_amount", value: "21" });

/// The case of a platform. Most platforms allow repeated names, refresh tokens and revoke grants.
pub(crate) const fn case(platform: Platform) -> Case {
    use QuirkEffect::{FailedRead, NullSpend, UnnamedField, UnorderedIds};
    let usual = Case {
        platform: platform.as_str(),
        upper: platform.as_upper(),
        names_repeat: true,
        refreshes: true,
        revokes: true,
        refusal: None,
        quirk_effects: &[],
        has_quirks: false,
    };
    match platform {
        Platform::Alpha => Case { names_repeat: false, refusal: PAST_END, ..usual },
        Platform::Beta => Case { refusal: TOO_SMALL, quirk_effects: &[UnnamedField], ..usual },
        Platform::Gamma => {
            Case { refreshes: false, refusal: BELOW_MINIMUM, quirk_effects: &[FailedRead, UnorderedIds], ..usual }
        }
        Platform::Delta => Case { refusal: TOO_SMALL, ..usual },
        Platform::Epsilon => Case { revokes: false, refusal: PAST_END, ..usual },
        Platform::Zeta => Case { quirk_effects: &[NullSpend], ..usual },
    }
}

impl Case {
    /// The same with every quirk of the platform on.
    const fn with_quirks(self) -> Case {
        Case { has_quirks: true, ..self }
    }

    /// Whether the quirks are on and have this effect.
    fn shows(&self, effect: QuirkEffect) -> bool {
        self.has_quirks && self.quirk_effects.contains(&effect)
    }
}
