//! Campaign ids.

use super::Platform;
use std::fmt;

/// Underscores of an id that may end its account.
const MAX_POSSIBLE_ACCOUNTS: usize = 4;

/// Identifies a campaign: `{platform}_{account}_{remote id}`, of ASCII letters, digits and underscores.
///
/// The id contains all that a look-up needs, so campaigns that were created elsewhere have one too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CampaignId {
    platform: Platform,
    /// `{account}_{remote id}`. Both parts may contain an underscore, so only the customer's connections tell where
    /// the account ends.
    rest: String,
}

impl CampaignId {
    /// The id of a campaign in an ad account.
    pub fn new(platform: Platform, account_id: &str, remote_id: &str) -> CampaignId {
        CampaignId { platform, rest: format!("{account_id}_{remote_id}") }
    }

    /// Parses an id; `None` for any other text.
    pub fn parse(text: &str) -> Option<CampaignId> {
        let platform = Platform::ALL
            .into_iter()
            .find(|platform| text.strip_prefix(platform.prefix()).is_some_and(|rest| rest.starts_with('_')))?;
        let rest = text.get(platform.prefix().len() + 1..)?;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        (rest.contains('_') && rest.len() <= 200 && rest.bytes().all(is_word))
            .then(|| CampaignId { platform, rest: rest.to_owned() })
    }

    /// The campaign's platform.
    pub fn platform(&self) -> Platform {
        self.platform
    }

    /// The accounts that may hold the campaign, one for each underscore up to a bound. No platform has more in an
    /// account's id.
    pub fn possible_accounts(&self) -> impl Iterator<Item = &str> {
        let ends = self.rest.match_indices('_').map(|(index, _)| index).filter(|index| *index > 0);
        ends.take(MAX_POSSIBLE_ACCOUNTS).map(|end| &self.rest[..end])
    }

    /// The campaign's id on the platform, if the campaign is in this ad account.
    pub fn remote_in(&self, account_id: &str) -> Option<&str> {
        let remote = self.rest.strip_prefix(account_id)?.strip_prefix('_')?;
        (!remote.is_empty()).then_some(remote)
    }
}

impl fmt::Display for CampaignId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.platform.prefix(), self.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_a_round_trip() {
        let id = CampaignId::new(Platform::Zeta, "t2_abc", "99");
        let read = CampaignId::parse(&id.to_string()).unwrap();
        assert_eq!(read, id);
        assert_eq!(read.remote_in("t2_abc"), Some("99"));
        assert_eq!(read.remote_in("t2"), Some("abc_99"), "the account decides where it ends");
        assert_eq!(read.remote_in("t3"), None);
    }

    #[test]
    fn any_other_text_is_rejected() {
        for text in ["", "camp_1", "alpha", "alpha_", "alpha_1", "alpha_1_2é", "alpha_1_2'", "ALPHA_1_2", "alphas_1_2"]
        {
            assert_eq!(CampaignId::parse(text), None, "{text}");
        }
    }
}
