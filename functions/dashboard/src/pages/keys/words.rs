//! The scopes and the limit of a key in words.

use crate::kit::limit::limit_words;
use shared::domain::{Scope, SpendingLimit};
use std::collections::BTreeSet;

/// What a scope permits.
pub(super) fn permits(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "see everything, and sync connections",
        Scope::Write => "change campaigns, connections, redirect URIs and keys",
        Scope::Billing => "open the checkout and the billing portal",
        Scope::Campaigns => "see and change campaigns, and nothing else",
        Scope::Approve => "pass on what your users approve or reject in your own product",
    }
}

/// `campaigns, may run up to 500.00 USD a day; a person approves every activation`
pub(super) fn scopes_and_limit(scopes: &BTreeSet<Scope>, limit: Option<&SpendingLimit>) -> String {
    let scopes = scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(", ");
    limit.map_or_else(|| scopes.clone(), |limit| format!("{scopes}, may run up to {}", limit_words(limit)))
}
