//! When a delivery is tried again.

use jiff::{SignedDuration, Timestamp};

/// The pauses between attempts, from the end of one to the start of the next.
const PAUSES: [SignedDuration; 9] = [
    SignedDuration::from_secs(5),
    SignedDuration::from_mins(5),
    SignedDuration::from_mins(30),
    SignedDuration::from_hours(2),
    SignedDuration::from_hours(5),
    SignedDuration::from_hours(10),
    SignedDuration::from_hours(14),
    SignedDuration::from_hours(20),
    SignedDuration::from_hours(24),
];
/// The longest wait that an endpoint may ask for.
pub(super) const MAX_RETRY_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// A pause is longer by up to one part in so many, so that the deliveries of an endpoint that was down spread.
const JITTER_PART: u64 = 5;

/// The time of the attempt after `tried` failed ones, the latest of which has ended now; `None` after the last.
pub fn next_attempt(tried: u32, now: Timestamp, retry_after: Option<SignedDuration>, random: u64) -> Option<Timestamp> {
    let index = usize::try_from(tried).ok()?.checked_sub(1)?;
    let pause = PAUSES.get(index)?;
    let asked = retry_after.unwrap_or_default().clamp(SignedDuration::ZERO, MAX_RETRY_AFTER);
    let pause = (*pause).max(asked);
    now.checked_add(pause + jitter(pause, random)).ok()
}

/// A random part of a fifth of a pause.
pub(super) fn jitter(pause: SignedDuration, random: u64) -> SignedDuration {
    let most = u64::try_from(pause.as_millis()).unwrap_or_default() / JITTER_PART;
    SignedDuration::from_millis(i64::try_from(random % (most + 1)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end_after_ten_attempts() {
        let now = Timestamp::UNIX_EPOCH;
        let pauses: Vec<i64> =
            (1..=12).map_while(|tried| Some(next_attempt(tried, now, None, 0)?.as_second())).collect();
        assert_eq!(pauses, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
        assert_eq!((PAUSES.len() + 1, next_attempt(10, now, None, 0)), (10, None));
        let days: i64 = pauses.iter().sum::<i64>() / 86_400;
        assert_eq!(days, 3, "an endpoint that is down for a day, or three, gets everything");
    }

    #[test]
    fn an_endpoint_may_ask_for_a_longer_wait_up_to_a_day() {
        let now = Timestamp::UNIX_EPOCH;
        let at = |asked: i64| next_attempt(1, now, Some(SignedDuration::from_secs(asked)), 0).unwrap().as_second();
        assert_eq!([at(-1), at(1), at(60), at(86_400), at(1_000_000)], [5, 5, 60, 86_400, 86_400]);
    }

    #[test]
    fn jitter_adds_at_most_a_fifth() {
        let now = Timestamp::UNIX_EPOCH;
        for random in [0, 1, 7, u64::MAX, 123_456_789] {
            let at = next_attempt(2, now, None, random).unwrap().as_second();
            assert!((300..=360).contains(&at), "{at}");
        }
    }
}
