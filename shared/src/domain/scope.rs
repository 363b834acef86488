//! Scopes of API keys, which limit what a stolen key can do (D41).

use super::variants;
use std::fmt;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// A kind of requests that a key permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Scope {
    /// Reads, and the check of connections with their platforms.
    Read,
    /// Changes of campaigns, connections, redirect URIs and keys.
    Write,
    /// The pages of the payment provider: checkout and portal.
    Billing,
    /// Reads and changes of campaigns, and nothing else.
    Campaigns,
    /// The review of changes that wait for a person, and the decision that a person has made elsewhere.
    Approve,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Scope; 5] = variants();
    /// Those of a customer's first key. With `write` it gives `approve` to another key.
    pub const FULL: [Scope; 3] = [Scope::Read, Scope::Write, Scope::Billing];

    /// The name in the API and in the table.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses a name.
    pub fn parse(text: &str) -> Option<Scope> {
        text.parse().ok()
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
