//! The user of whom a list shows everything, and nothing of others.

use crate::kit::addresses::{USER, of_user};
use shared::domain::ExternalRef;

/// The only user of a list.
pub(crate) struct OnlyUser {
    pub(crate) name: String,
    /// The page of the user.
    pub(crate) path: String,
    /// The same list of all users.
    pub(crate) all: String,
}

impl OnlyUser {
    /// The user that the address of a list names, if it names one. `all` is the address without it.
    pub(crate) fn new(user: Option<&ExternalRef>, all: String) -> Option<OnlyUser> {
        let user = user?;
        Some(OnlyUser { name: user.to_string(), path: of_user(USER, user), all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_its_page_whatever_characters_its_name_has() {
        let user = ExternalRef::parse("shop:42@eu");
        let only = OnlyUser::new(user.as_ref(), "/dashboard/activity".to_owned()).unwrap();
        assert_eq!((only.name.as_str(), only.all.as_str()), ("shop:42@eu", "/dashboard/activity"));
        assert_eq!(only.path, "/dashboard/users/one?external_ref=shop%3A42%40eu");
        assert!(OnlyUser::new(None, String::new()).is_none());
    }
}
