//! Finds the campaign that a person has named in the filter, among those that the dashboard keeps.

use super::filter::Filter;
use crate::client::readings::Overview;
use crate::client::session::SignedIn;
use shared::domain::ExternalRef;
use shared::envelope::query::value;
use shared::serve::WebRequest;

/// The field of the form.
const NAME: &str = "campaign";
/// Most campaigns that are offered.
const MAX_FOUND: usize = 20;

/// The campaigns whose names have what a person has typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) typed: String,
    /// Name, ad account, and the activity of each.
    pub(super) found: Vec<Found>,
    /// How many more there are.
    pub(super) more: usize,
}

/// A campaign that may be meant.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) account: String,
    pub(super) path: String,
}

/// Finds them; `None` if no name was typed. A failed read finds none.
pub(super) async fn find(
    request: &WebRequest,
    person: &SignedIn,
    filter: &Filter,
    user: Option<&ExternalRef>,
) -> Option<Named> {
    let typed = value(&request.query, NAME).map(str::trim).filter(|typed| !typed.is_empty())?;
    let overview = Overview::read(request, person, user).await.unwrap_or_default();
    let known = overview.rows.iter().map(|row| Found {
        name: row.campaign.name.clone(),
        account: row.account.clone(),
        path: filter.of_campaign(&row.campaign.id.to_string()),
    });
    Some(Named::of(typed, known.collect()))
}

impl Named {
    /// Those of the known campaigns whose name is what was typed, or else has it.
    fn of(typed: &str, known: Vec<Found>) -> Named {
        let lower = typed.to_lowercase();
        let (same, others): (Vec<Found>, Vec<Found>) =
            known.into_iter().partition(|found| found.name.to_lowercase() == lower);
        let mut found = same;
        if found.is_empty() {
            found = others.into_iter().filter(|found| found.name.to_lowercase().contains(&lower)).collect();
        }
        let more = found.len().saturating_sub(MAX_FOUND);
        found.truncate(MAX_FOUND);
        Named { typed: typed.to_owned(), found, more }
    }

    /// The activity of the only campaign that is meant.
    pub(super) fn only(&self) -> Option<String> {
        match self.found.as_slice() {
            [only] => Some(only.path.clone()),
            _ => None,
        }
    }
}

#[cfg(test)]
#[test]
fn a_name_finds_the_same_one_first_or_those_that_have_it() {
    let known = || {
        ["Spring", "Spring sale", "Autumn"].map(|name| Found {
            name: name.to_owned(),
            account: "Shop".to_owned(),
            path: format!("/{name}"),
        })
    };
    let found = |typed: &str| Named::of(typed, known().into());
    assert_eq!(found("spring").only().as_deref(), Some("/Spring"));
    assert_eq!(found("sale").only().as_deref(), Some("/Spring sale"));
    assert_eq!((found("spr").found.len(), found("spr").only()), (2, None));
    assert_eq!((found("winter").found.len(), found("winter").more), (0, 0));
    let many = std::iter::repeat_with(known).take(20).flatten().collect();
    assert_eq!((Named::of("a", many).more, MAX_FOUND), (20, 20));
}
