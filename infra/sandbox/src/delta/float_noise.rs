//! Float noise in reported costs.
//!
//! Campaign reports recorded live: `-2E-18`, `99.99999999999996`, `107.5300000000000335346`, and texts of
//! more than 28 digits.

use crate::money::MICROS;

/// The quirk that adds the noise.
pub(crate) const QUIRK: &str = "float_noise";

/// Digits after the micros of a cost that is slightly too low.
const LOW_TAIL: &str = "99999996";
/// Digits after the micros of a cost that is slightly too high: more than 28 digits in all.
const HIGH_TAIL: &str = "000000033534634205714285714";

/// A cost with float noise, less than 10^-13 away from the exact cost: too low for odd campaign ids, too high
/// for even ones.
pub(crate) fn with_float_noise(micros: i64, campaign: i64) -> String {
    let text = |micros: i64, tail: &str| format!("{}.{:06}{tail}", micros / MICROS, micros % MICROS);
    match (micros, campaign % 2) {
        (..=0, _) => "-2E-18".to_owned(),
        (_, 0) => text(micros, HIGH_TAIL),
        _ => text(micros - 1, LOW_TAIL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_kind_of_noise_appears() {
        assert_eq!(with_float_noise(0, 1), "-2E-18");
        assert_eq!(with_float_noise(100_000_000, 1), "99.99999999999996");
        assert_eq!(with_float_noise(1, 1), "0.00000099999996");
        let high = with_float_noise(107_530_000, 2);
        assert!(high.starts_with("107.5300000000000335346"), "{high}");
        assert!(high.bytes().filter(u8::is_ascii_digit).count() > 28, "{high}");
    }
}
