//! Quirks: rare behaviour of real platforms that tests and people switch on.
//!
//! A quirk depends on the account or the day. Behaviour that a platform always has is in its folder, not here. Each
//! quirk is off until `/_sandbox/quirks` switches it on, and off again after `/_sandbox/reset`.

use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A quirk of a platform.
#[derive(Debug)]
pub(crate) struct Quirk {
    /// Name at the control address, in snake case.
    pub(crate) name: &'static str,
    /// The behaviour in one sentence.
    pub(crate) description: &'static str,
}

/// The name that stands for every quirk of a platform but those of [`ALONE`].
pub(crate) const ALL: &str = "all";

/// Quirks that refuse every call, every consent or every read of ads, spoil every create or hide every word of delivery.
/// Little else of the platform shows while one is on.
pub(crate) const ALONE: &[&str] =
    &["service_disabled", "dialog_error", "created_otherwise", "unknown_word", "no_ad_permission"];

/// The quirks of a platform that are on.
pub(crate) type Active = BTreeSet<&'static str>;

/// Switches one quirk, or [`ALL`]. Switching all off includes [`ALONE`]. The error lists the platform's quirks.
pub(crate) fn switch(known: &'static [Quirk], active: &mut Active, name: &str, on: bool) -> Result<(), String> {
    let chosen: Vec<&'static str> = known
        .iter()
        .map(|quirk| quirk.name)
        .filter(|quirk| *quirk == name || name == ALL && !(on && ALONE.contains(quirk)))
        .collect();
    if chosen.is_empty() && name != ALL {
        let names: Vec<&str> = known.iter().map(|quirk| quirk.name).chain([ALL]).collect();
        return Err(format!("quirk \"{name}\" is unknown; it is one of {}", names.join(", ")));
    }
    for quirk in chosen {
        if on {
            active.insert(quirk);
        } else {
            active.remove(quirk);
        }
    }
    Ok(())
}

/// A platform's quirks as rows for `GET /_sandbox/quirks`.
pub(crate) fn rows(platform: &str, known: &[Quirk], active: &Active) -> Vec<Value> {
    let row = |quirk: &Quirk| {
        let is_on = active.contains(quirk.name);
        json!({ "platform": platform, "quirk": quirk.name, "on": is_on, "what": quirk.description })
    };
    known.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Quirk] = &[
        Quirk { name: "noise", description: "" },
        Quirk { name: "pages", description: "" },
        Quirk { name: "service_disabled", description: "" },
    ];

    #[test]
    fn all_switches_every_quirk_and_an_error_lists_the_known_names() {
        let mut active = Active::default();
        switch(KNOWN, &mut active, ALL, true).unwrap();
        switch(KNOWN, &mut active, "pages", false).unwrap();
        assert_eq!(active, Active::from(["noise"]));
        let error = switch(KNOWN, &mut active, "nois", true).unwrap_err();
        assert!(error.contains("\"nois\"") && error.ends_with("noise, pages, service_disabled, all"), "{error}");
        switch(KNOWN, &mut active, "service_disabled", true).unwrap();
        switch(KNOWN, &mut active, ALL, false).unwrap();
        assert_eq!(active, Active::new(), "it is switched on alone and off with all");
        assert!(switch(&[], &mut active, ALL, true).is_ok(), "a platform without quirks");
    }
}
