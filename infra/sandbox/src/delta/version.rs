//! The versions of the API that are served.
//!
//! Microsoft Learn, LinkedIn: "Versioning", "LinkedIn Marketing API migrations".

use jiff::Timestamp;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;

use super::error::refused;
use crate::http::{Reply, Request};

/// The versions that are published: what is older is retired, what is newer is not there yet.
const VERSIONS: std::ops::RangeInclusive<u32> = 202_512..=202_611;

/// The days on which versions end, as announced on Microsoft Learn, "LinkedIn Marketing API
/// migrations"; an older version ends with them at the latest. Not verified: the hour (midnight
/// UTC here) and the days of newer versions, which do not end here.
const ENDS: &[(u32, Date)] = &[(202_601, date(2027, 1, 15)), (202_602, date(2027, 2, 15))];

/// The version of a request: none is assumed, and none outlives its day.
pub(crate) fn check(request: &Request, now: Timestamp) -> Result<(), Reply> {
    let Some(version) = request.header("linkedin-version") else {
        let why = "A version must be present. Please specify a version by adding the LinkedIn-Version header.";
        return Err(refused(400, "VERSION_MISSING", why));
    };
    let number: Option<u32> = version.parse().ok();
    if number.is_some_and(|number| is_served(number, now)) {
        return Ok(());
    }
    Err(refused(426, "NONEXISTENT_VERSION", &format!("Requested version {version} is not active")))
}

fn is_served(version: u32, now: Timestamp) -> bool {
    let today = now.to_zoned(TimeZone::UTC).date();
    let end = ENDS.iter().find(|(known, _)| version <= *known).map(|(_, end)| *end);
    VERSIONS.contains(&version) && (1..=12).contains(&(version % 100)) && end.is_none_or(|end| today < end)
}
