//! Views of the list of campaigns that a person has saved: a name, and what the address of the list has.

use super::is_invisible;
use serde::{Deserialize, Serialize};

/// Views of a person.
pub const MAX_VIEWS: usize = 10;
/// Characters of a name.
pub const MAX_VIEW_NAME: usize = 40;
/// Bytes of a query. The record of the person is read with each page.
const MAX_QUERY: usize = 600;

/// A view that a person has saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedView {
    /// Without spaces around it. A person has one view of a name.
    pub name: String,
    /// The query string of the list, without a page.
    pub query: String,
}

/// Why a view is not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewError {
    NoName,
    /// It has more than [`MAX_VIEW_NAME`] characters.
    LongName,
    /// It has characters that cannot be seen.
    HiddenName,
    /// The list has more filters than a view holds.
    LongQuery,
    /// The person has [`MAX_VIEWS`] already.
    TooMany,
}

impl SavedView {
    /// A view with a name as a person has typed it. The error says what is wrong with the name or the query.
    pub fn new(name: &str, query: String) -> Result<SavedView, ViewError> {
        let name = name.trim();
        if name.is_empty() {
            return Err(ViewError::NoName);
        }
        if name.chars().count() > MAX_VIEW_NAME {
            return Err(ViewError::LongName);
        }
        if name.contains(is_invisible) {
            return Err(ViewError::HiddenName);
        }
        if query.len() > MAX_QUERY {
            return Err(ViewError::LongQuery);
        }
        Ok(SavedView { name: name.to_owned(), query })
    }

    /// The views with this one, in the place of that with the same name.
    pub fn added_to(self, views: &[SavedView]) -> Result<Vec<SavedView>, ViewError> {
        let mut views = views.to_vec();
        if let Some(known) = views.iter_mut().find(|known| known.name == self.name) {
            *known = self;
        } else if views.len() < MAX_VIEWS {
            views.push(self);
        } else {
            return Err(ViewError::TooMany);
        }
        Ok(views)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_has_a_short_name_and_a_person_ten_of_them() {
        let view = |name: &str| SavedView::new(name, "status=PAUSED".to_owned());
        assert_eq!(view("  Too fast ").unwrap().name, "Too fast");
        assert_eq!((view(" "), view(&"ä".repeat(41))), (Err(ViewError::NoName), Err(ViewError::LongName)));
        assert!(view(&"ä".repeat(40)).is_ok());
        assert_eq!((view("a\u{200b}"), view("a\nb")), (Err(ViewError::HiddenName), Err(ViewError::HiddenName)));
        assert_eq!(SavedView::new("a", "q".repeat(601)), Err(ViewError::LongQuery));
        let ten: Vec<SavedView> = (0..10).map(|number| view(&number.to_string()).unwrap()).collect();
        assert_eq!(view("a").unwrap().added_to(&ten), Err(ViewError::TooMany));
        let other = SavedView { name: "3".to_owned(), query: "q=a".to_owned() };
        let renewed = other.clone().added_to(&ten).unwrap();
        assert_eq!((renewed.len(), &renewed[3]), (10, &other), "a view of this name is replaced");
        assert_eq!(view("a").unwrap().added_to(&ten[..9]).unwrap().len(), 10);
    }
}
