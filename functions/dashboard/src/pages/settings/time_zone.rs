//! The time zone of the account, in which every page shows its times, as a part of the settings.

use crate::client::notice::Notice;
use crate::client::session::SignedIn;
use crate::kit::addresses::SETTINGS;
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
/// Saves the form.
pub(crate) async fn save(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    Ok(match chosen(value(&form, ZONE).unwrap_or_default()) {
        Ok(zone) => {
            request.app.store.set_time_zone(person.customer(), zone.as_deref()).await?;
            let zone = zone.as_deref().unwrap_or("the time zone of each browser");
            Notice::success(format!("Pages show times in {zone}."))
        }
        Err(error) => Notice::wrong(vec![error], &form),
    }
    .then(SETTINGS))
}

/// The zone of a name, however it is capitalized; `None` for no choice.
fn chosen(name: &str) -> Result<Option<String>, FormError> {
    let name = name.trim().replace(' ', "_");
    if name.is_empty() {
        return Ok(None);
    }
    let known = names().find(|known| known.eq_ignore_ascii_case(&name));
    let unknown = || FormError::new(ZONE, "Not a known time zone. Write region and city, such as Europe/Berlin.");
    known.map(Some).ok_or_else(unknown)
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
            assert_eq!(chosen(name), Ok(Some(name.to_owned())));
        }
        assert_eq!(chosen(" america/new york "), Ok(Some("America/New_York".to_owned())));
        for name in ["Berlin", "US/Eastern", "Etc/GMT+3", "<b>"] {
            assert!(chosen(name).unwrap_err().message.starts_with("Not a known time zone."), "{name}");
        }
        assert_eq!(chosen(""), Ok(None));
    }
}
