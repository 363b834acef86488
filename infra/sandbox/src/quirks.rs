//! Quirks: the unpleasant things that real platforms do now and then, switched on by tests and people.
//!
//! A quirk is behaviour that depends on the account or the day; the behaviour that a platform always has is in its
//! folder. Each quirk is off until `/_sandbox/quirks` switches it on, and off again
//! after `/_sandbox/reset`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// One thing that a platform may do.
#[derive(Debug)]
pub(crate) struct Quirk {
    /// Its name at the control address, in snake case.
    pub(crate) name: &'static str,
    /// The behaviour, in one sentence for people.
    pub(crate) what: &'static str,
}

/// The name that stands for every quirk of a platform.
pub(crate) const ALL: &str = "all";

/// The quirks of a platform that are on.
pub(crate) type Active = BTreeSet<&'static str>;

/// Switches a quirk, or [`ALL`] of them; the error lists the names that the platform has.
pub(crate) fn switch(known: &'static [Quirk], active: &mut Active, name: &str, on: bool) -> Result<(), String> {
    let chosen: Vec<&'static str> =
        known.iter().map(|quirk| quirk.name).filter(|quirk| name == ALL || *quirk == name).collect();
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

/// A platform's quirks as the control address shows them.
pub(crate) fn show(platform: &str, known: &[Quirk], active: &Active) -> Vec<Value> {
    let row = |quirk: &Quirk| {
        let is_on = active.contains(quirk.name);
        json!({ "platform": platform, "quirk": quirk.name, "on": is_on, "what": quirk.what })
    };
    known.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[Quirk] = &[Quirk { name: "noise", what: "" }, Quirk { name: "pages", what: "" }];

    #[test]
    fn all_stands_for_every_quirk_and_an_unknown_one_is_named_with_those_that_exist() {
        let mut active = Active::default();
        switch(KNOWN, &mut active, ALL, true).unwrap();
        switch(KNOWN, &mut active, "pages", false).unwrap();
        assert_eq!(active, Active::from(["noise"]));
        let refused = switch(KNOWN, &mut active, "nois", true).unwrap_err();
        assert!(refused.contains("\"nois\"") && refused.ends_with("noise, pages, all"), "{refused}");
        assert!(switch(&[], &mut active, ALL, true).is_ok(), "a platform without quirks");
    }
}
