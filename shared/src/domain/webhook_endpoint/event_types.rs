//! The events that an endpoint receives.

use crate::domain::EventKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The name that stands for all types.
const ALL: &str = "*";
/// Length of the part of an unknown name that an error repeats.
const SHOWN_CHARS: usize = 100;

/// The types of the events that an endpoint receives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<&'static str>")]
pub enum EventTypes {
    /// Every type, later ones included.
    All,
    /// Only these; at least one.
    Only(BTreeSet<EventKind>),
}

/// Reason why a list of types is rejected. The message continues the name of the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventTypesError {
    /// No type.
    Empty,
    /// `*` beside other types.
    AllAndOthers,
    /// No type has this name.
    Unknown(String),
    /// A type is named twice.
    Repeated(EventKind),
}

impl EventTypes {
    /// Reads a list of names, or `["*"]`.
    pub fn parse(names: &[String]) -> Result<EventTypes, EventTypesError> {
        if names.iter().any(|name| name == ALL) {
            return if names.len() == 1 { Ok(EventTypes::All) } else { Err(EventTypesError::AllAndOthers) };
        }
        let mut kinds = BTreeSet::new();
        for name in names {
            let unknown = || EventTypesError::Unknown(name.chars().take(SHOWN_CHARS).collect());
            let kind = EventKind::parse(name).ok_or_else(unknown)?;
            if !kinds.insert(kind) {
                return Err(EventTypesError::Repeated(kind));
            }
        }
        if kinds.is_empty() { Err(EventTypesError::Empty) } else { Ok(EventTypes::Only(kinds)) }
    }

    /// The names, in the order of [`EventKind::ALL`]; `["*"]` for all types.
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            EventTypes::All => vec![ALL],
            EventTypes::Only(kinds) => kinds.iter().map(|kind| kind.as_str()).collect(),
        }
    }

    /// Whether events of a type are among them.
    pub fn contains(&self, kind: EventKind) -> bool {
        match self {
            EventTypes::All => true,
            EventTypes::Only(kinds) => kinds.contains(&kind),
        }
    }
}

/// The types of a stored list. A name that only newer code knows is left out.
impl From<Vec<String>> for EventTypes {
    fn from(names: Vec<String>) -> EventTypes {
        match names.as_slice() {
            [name] if name == ALL => EventTypes::All,
            names => EventTypes::Only(names.iter().filter_map(|name| EventKind::parse(name)).collect()),
        }
    }
}

impl From<EventTypes> for Vec<&'static str> {
    fn from(types: EventTypes) -> Vec<&'static str> {
        types.names()
    }
}

impl fmt::Display for EventTypesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventTypesError::Empty => f.write_str("must have at least one type of event, or be [\"*\"] for all"),
            EventTypesError::AllAndOthers => {
                f.write_str("must not have other types beside \"*\", which stands for all")
            }
            EventTypesError::Unknown(name) if name == "ping" => {
                f.write_str("must not have ping: only a test send has this type")
            }
            EventTypesError::Unknown(name) => {
                let known = EventKind::ALL.map(EventKind::as_str).join(", ");
                write!(f, "has {name:?}, which is no type of event; there are {known}")
            }
            EventTypesError::Repeated(kind) => write!(f, "must not have {} twice", kind.as_str()),
        }
    }
}

impl std::error::Error for EventTypesError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(names: &[&str]) -> Result<EventTypes, EventTypesError> {
        EventTypes::parse(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_list_of_types_keeps_each_once_and_in_order() {
        let types = parse(&["limit.refused", "change.applied"]).unwrap();
        assert_eq!(types.names(), ["change.applied", "limit.refused"]);
        assert!(types.contains(EventKind::LimitRefused) && !types.contains(EventKind::ChangeFailed));
        let every = parse(&EventKind::ALL.map(EventKind::as_str)).unwrap();
        assert_ne!(every, EventTypes::All, "a list of all types has no later ones");
    }

    #[test]
    fn a_star_is_every_type() {
        let types = parse(&["*"]).unwrap();
        assert_eq!((types.names(), &types), (vec!["*"], &EventTypes::All));
        assert!(EventKind::ALL.into_iter().all(|kind| types.contains(kind)));
    }

    #[test]
    fn every_other_list_is_rejected() {
        use EventTypesError::{AllAndOthers, Empty, Repeated, Unknown};
        for (names, expected) in [
            (&[][..], Empty),
            (&["*", "change.applied"], AllAndOthers),
            (&["change.applied", "*"], AllAndOthers),
            (&["*", "*"], AllAndOthers),
            (&["ping"], Unknown("ping".to_owned())),
            (&["change.*"], Unknown("change.*".to_owned())),
            (&["Change.applied"], Unknown("Change.applied".to_owned())),
            (&["limit.refused", "change.applied", "limit.refused"], Repeated(EventKind::LimitRefused)),
        ] {
            assert_eq!(parse(names), Err(expected), "{names:?}");
        }
        let long = "x".repeat(1_000);
        assert_eq!(parse(&[long.as_str()]), Err(Unknown(long[..100].to_owned())));
    }

    #[test]
    fn a_stored_type_that_only_newer_code_knows_is_left_out() {
        let stored = ["change.applied", "change.of_tomorrow"].map(str::to_owned);
        assert_eq!(EventTypes::from(stored.to_vec()).names(), ["change.applied"]);
        assert_eq!(EventTypes::from(vec!["*".to_owned()]), EventTypes::All);
    }
}
