//! Float noise in reported costs.
//!
//! Campaign reports recorded live: `-2E-18`, `99.99999999999996`, `107.5300000000000335346`,
//! and texts of more than 28 digits.

use crate::money::MICROS;

/// The quirk that brings the noise.
pub(crate) const QUIRK: &str = "float_noise";

/// Decimals after the micros of a sum that reads too low.
const BELOW: &str = "99999996";
/// Decimals after the micros of a sum that reads too high: more than 28 digits in all.
const ABOVE: &str = "000000033534634205714285714";

/// A cost as the platform may write it, less than 10^-13 away from the true sum: odd campaign ids
/// read too low, even ones too high.
pub(crate) fn noisy(micros: i64, campaign: i64) -> String {
    let text = |micros: i64, tail: &str| format!("{}.{:06}{tail}", micros / MICROS, micros % MICROS);
    match (micros, campaign % 2) {
        (..=0, _) => "-2E-18".to_owned(),
        (_, 0) => text(micros, ABOVE),
        _ => text(micros - 1, BELOW),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_noise_that_was_recorded_comes() {
        assert_eq!(noisy(0, 1), "-2E-18");
        assert_eq!(noisy(100_000_000, 1), "99.99999999999996");
        assert_eq!(noisy(1, 1), "0.00000099999996");
        let high = noisy(107_530_000, 2);
        assert!(high.starts_with("107.5300000000000335346"), "{high}");
        assert!(high.bytes().filter(u8::is_ascii_digit).count() > 28, "{high}");
    }
}
