//! The schedule of maintenance, the function that refreshes tokens ahead of their end and reconciles creates.

use jiff::SignedDuration;

/// Time between two runs. The schedule in `template.yaml` is the same.
pub const INTERVAL: SignedDuration = SignedDuration::from_mins(1);
/// [`INTERVAL`] in words, for messages.
pub const INTERVAL_TEXT: &str = "a minute";
/// Two intervals in words. Work that becomes due just after a run is done within this time.
pub const TWO_INTERVALS_TEXT: &str = "two minutes";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_and_the_messages_state_the_same_interval() {
        let template = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../template.yaml"));
        assert_eq!(INTERVAL.as_secs(), 60);
        let maintenance =
            template.split("\n  MaintenanceFunction:\n").nth(1).and_then(|rest| rest.split("\n\n").next());
        assert_eq!(maintenance.map(|lines| lines.matches("rate(1 minute)").count()), Some(1));
        assert_eq!((INTERVAL_TEXT, TWO_INTERVALS_TEXT), ("a minute", "two minutes"));
    }
}
