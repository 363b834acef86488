//! The time zone of the account, in which every page shows its times, as a part of the settings.

use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::SETTINGS;
use crate::kit::choice::{Choice, choices_in_force};
use crate::kit::form_errors::FormError;
use jiff::tz;
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::Error;
use shared::serve::WebRequest;

/// The field.
const ZONE: &str = "time_zone";
/// The regions whose places people know. The database has older names for the same zones, too.
const REGIONS: [&str; 9] =
    ["Africa/", "America/", "Antarctica/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/"];
/// What is in force without a choice.
const OF_BROWSER: &str = "That of each browser; UTC without script";

/// The choices: none, UTC, and the places of the time zone database.
pub(super) fn zones(known: Option<&str>) -> Vec<Choice> {
    let names: Vec<String> = names().collect();
    let of_names = names.iter().map(|name| (name.as_str(), name.as_str()));
    let all: Vec<_> = [("", OF_BROWSER)].into_iter().chain(of_names).collect();
    choices_in_force(&all, known.unwrap_or_default())
}

/// Saves the form.
pub(crate) async fn save(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    Ok(match chosen(value(&form, ZONE).unwrap_or_default()) {
        Ok(zone) => {
            request.app.store.set_time_zone(person.customer(), zone).await?;
            let zone = zone.unwrap_or("the time zone of each browser");
            Notice::success(format!("Pages show times in {zone}."))
        }
        Err(error) => Notice::wrong(vec![error], &form),
    }
    .then(SETTINGS))
}

/// The zone of a name; `None` for no choice.
fn chosen(name: &str) -> Result<Option<&str>, FormError> {
    match name {
        "" => Ok(None),
        name if names().any(|known| known == name) => Ok(Some(name)),
        _ => Err(FormError::new(ZONE, "Choose a time zone of the list.")),
    }
}

fn names() -> impl Iterator<Item = String> {
    let places = tz::db().available().map(|name| name.to_string());
    let places = places.filter(|name| REGIONS.iter().any(|region| name.starts_with(region)));
    ["UTC".to_owned()].into_iter().chain(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_the_world_can_be_chosen_and_nothing_else() {
        for name in ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"] {
            assert_eq!(chosen(name), Ok(Some(name)));
            assert!(tz::TimeZone::get(name).is_ok(), "{name}");
        }
        for name in ["Berlin", "US/Eastern", "Etc/GMT+3", "<b>", "europe/berlin"] {
            assert_eq!(chosen(name).unwrap_err().message, "Choose a time zone of the list.");
        }
        assert_eq!(chosen(""), Ok(None));
        let marked =
            |known| zones(known).into_iter().filter(|zone| zone.is_chosen).map(|zone| zone.value).collect::<Vec<_>>();
        assert_eq!(
            (marked(None), marked(Some("Europe/Berlin"))),
            (vec![String::new()], vec!["Europe/Berlin".to_owned()])
        );
    }
}
