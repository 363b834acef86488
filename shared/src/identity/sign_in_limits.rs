//! How often a network may begin and complete sign-ins. Anybody may, without a key, and each costs a write. So every process
//! counts them by the address that they come from: a count in the table would cost the write that it saves.

use crate::domain::RateLimit;
use crate::error::{Error, Kind};
use jiff::Timestamp;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

/// Requests of one network. A sign-in is two requests, and an office may share an address.
const LIMIT: RateLimit = RateLimit::per_minute(60, 60);
/// Networks of which a process remembers the requests.
const CAPACITY: usize = 4_096;

/// The theoretical arrival time of the next request of each network, in microseconds.
#[derive(Debug, Default)]
pub(super) struct SignInRateLimits(Mutex<HashMap<IpAddr, i64>>);

impl SignInRateLimits {
    /// Counts a request from an address. Refuses it if its network has sent too many.
    pub(super) fn count(&self, address: IpAddr, now: Timestamp) -> Result<(), Error> {
        let (network, now_us) = (network_of(address), now.as_microsecond());
        let mut expected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next_us = expected.get(&network).copied().unwrap_or(now_us).max(now_us);
        if let Some(wait) = LIMIT.wait(next_us, now_us) {
            let seconds = wait.as_secs() + 1;
            let message = format!(
                "Too many sign-ins came from your network in the last minute. Wait {seconds} s, then try again."
            );
            return Err(Error::new(Kind::RateLimited, message).retry_after(wait));
        }
        if expected.len() >= CAPACITY && !expected.contains_key(&network) {
            expected.retain(|_, next_us| *next_us > now_us);
            if expected.len() >= CAPACITY {
                expected.clear();
            }
        }
        expected.insert(network, next_us + LIMIT.emission_interval_us());
        Ok(())
    }
}

/// The network of an address. With IPv6 a subscriber has at least 64 bits of addresses.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;

    #[test]
    fn a_network_may_send_sixty_requests_at_once_and_one_more_each_second() {
        let (limits, now) = (SignInRateLimits::default(), Timestamp::UNIX_EPOCH);
        let takes = |address: &str, second: i64| {
            limits.count(address.parse().unwrap(), now + SignedDuration::from_secs(second)).is_ok()
        };
        assert_eq!((0..70).filter(|_| takes("192.0.2.7", 0)).count(), 60);
        assert!(takes("192.0.2.8", 0), "another address");
        assert_eq!((0..9).filter(|_| takes("::ffff:192.0.2.7", 3)).count(), 3);
        assert_eq!((0..70).filter(|host| takes(&format!("2001:db8:0:1::{host:x}"), 0)).count(), 60, "one network");
        assert!(takes("2001:db8:0:2::1", 0), "the next network");
    }

    #[test]
    fn networks_with_a_full_bucket_are_forgotten() {
        let (limits, now) = (SignInRateLimits::default(), Timestamp::UNIX_EPOCH);
        let address = |at: u32| IpAddr::from(at.to_be_bytes());
        for at in 0..u32::try_from(CAPACITY).unwrap() {
            limits.count(address(at), now).unwrap();
        }
        let later = now + SignedDuration::from_secs(2);
        limits.count(address(u32::MAX), later).unwrap();
        assert_eq!(limits.0.lock().unwrap().len(), 1, "their turns are free again");
    }
}
