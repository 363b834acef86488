//! The API versions that the platform serves.
//!
//! Microsoft Learn, LinkedIn: "Versioning", "LinkedIn Marketing API migrations".

use super::error::error_response;
use crate::http::{Request, Response};
use jiff::Timestamp;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;

/// The published versions. Older ones are retired, newer ones do not exist yet.
const PUBLISHED: std::ops::RangeInclusive<u32> = 202_512..=202_611;

/// Sunset dates announced on Microsoft Learn, "LinkedIn Marketing API migrations". An older version ends with
/// the next one at the latest. Not verified: the hour (the sandbox takes midnight UTC) and the dates of newer
/// versions, which have no end here.
const SUNSET_DATES: &[(u32, Date)] = &[(202_601, date(2027, 1, 15)), (202_602, date(2027, 2, 15))];

/// Checks the version header. There is no default version.
pub(crate) fn check(request: &Request, now: Timestamp) -> Result<(), Response> {
    let Some(version) = request.header("linkedin-version") else {
        let why = "A version must be present. Please specify a version by adding the LinkedIn-Version header.";
        return Err(error_response(400, "VERSION_MISSING", why));
    };
    let parsed: Option<u32> = version.parse().ok();
    if parsed.is_some_and(|number| is_served(number, now)) {
        return Ok(());
    }
    Err(error_response(426, "NONEXISTENT_VERSION", &format!("Requested version {version} is not active")))
}

fn is_served(version: u32, now: Timestamp) -> bool {
    let today = now.to_zoned(TimeZone::UTC).date();
    let end = SUNSET_DATES.iter().find(|(known, _)| version <= *known).map(|(_, end)| *end);
    PUBLISHED.contains(&version) && (1..=12).contains(&(version % 100)) && end.is_none_or(|end| today < end)
}
