//! When a platform answered last, as every page says it.

use super::missing::OLD;
use jiff::Timestamp;

/// The last answer of some readings: the latest, because the parts of one look at a platform end some seconds or minutes apart.
/// Readings that are further apart have the time of the oldest, so that no page calls its numbers newer than they are.
pub(crate) fn last_answer(read: impl IntoIterator<Item = Timestamp>) -> Option<Timestamp> {
    let ends = read.into_iter().fold(None, |ends: Option<(Timestamp, Timestamp)>, at| {
        Some(ends.map_or((at, at), |(oldest, latest)| (oldest.min(at), latest.max(at))))
    });
    ends.map(|(oldest, latest)| if latest.duration_since(oldest) < OLD { latest } else { oldest })
}

/// The last answer of an ad account, from the times of its campaigns and of its numbers. Where its numbers alone cannot be read,
/// it is theirs.
pub(super) fn of_account(
    campaigns: Option<Timestamp>,
    numbers: Option<Timestamp>,
    lacks_only_numbers: bool,
) -> Option<Timestamp> {
    if lacks_only_numbers { numbers } else { last_answer([campaigns, numbers].into_iter().flatten()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> Timestamp {
        format!("2026-12-01T{time}:00Z").parse().unwrap()
    }

    #[test]
    fn the_latest_of_one_look_counts_and_the_oldest_of_several() {
        assert_eq!(last_answer([]), None);
        assert_eq!(last_answer([at("01:03"), at("01:02")]), Some(at("01:03")));
        assert_eq!(last_answer([at("01:03"), at("00:12"), at("01:02")]), Some(at("00:12")));
    }

    #[test]
    fn numbers_that_alone_cannot_be_read_have_their_own_time() {
        let (campaigns, numbers) = (Some(at("01:04")), Some(at("01:02")));
        assert_eq!(of_account(campaigns, numbers, false), campaigns);
        assert_eq!(of_account(campaigns, numbers, true), numbers);
        assert_eq!((of_account(campaigns, None, false), of_account(campaigns, None, true)), (campaigns, None));
    }
}
