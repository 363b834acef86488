//! Two schemas of one place, which a program sends or reads.

use super::{items, members, resolved, text};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Who writes what a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Direction {
    /// The program: what it sends must be taken as before.
    Sent,
    /// The service: what the program reads must be there as before.
    Read,
}
use Direction::{Read, Sent};

/// Bounds that a smaller number makes narrower, and those that a larger one does.
const MOST: [&str; 4] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems"];
const LEAST: [&str; 4] = ["minimum", "exclusiveMinimum", "minLength", "minItems"];

/// Compares schemas, each pair of components once for a direction.
pub(super) struct Schemas<'a> {
    former: &'a Value,
    present: &'a Value,
    seen: BTreeSet<(&'a str, &'a str, Direction)>,
    pub(super) found: Vec<String>,
}

/// A schema with what its parts of `allOf` add.
#[derive(Default)]
struct Whole<'a> {
    types: BTreeSet<&'a str>,
    values: Vec<&'a Value>,
    properties: BTreeMap<&'a str, &'a Value>,
    required: BTreeSet<&'a str>,
    choices: Vec<&'a Value>,
    is_closed: bool,
}

impl<'a> Schemas<'a> {
    pub(super) fn new(former: &'a Value, present: &'a Value) -> Schemas<'a> {
        Schemas { former, present, seen: BTreeSet::new(), found: Vec::new() }
    }

    /// Adds what breaks between two schemas.
    pub(super) fn compare(&mut self, at: &str, former: &'a Value, present: &'a Value, direction: Direction) {
        let names = former["$ref"].as_str().zip(present["$ref"].as_str());
        if names.is_some_and(|(one, other)| !self.seen.insert((one, other, direction))) {
            return;
        }
        let at = &names.map_or_else(|| at.to_owned(), |(name, _)| name.replace("#/components/schemas/", ""));
        let (mut before, mut now) = (Whole::default(), Whole::default());
        before.add(former, self.former);
        now.add(present, self.present);
        self.types(at, &before, &now, direction);
        self.values(at, &before, &now, direction);
        self.properties(at, &before, &now, direction);
        let (former, present) = (resolved(former, self.former), resolved(present, self.present));
        if direction == Sent {
            self.bounds(at, former, present);
        }
        if former["items"].is_object() && present["items"].is_object() {
            self.compare(&format!("an item of {at}"), &former["items"], &present["items"], direction);
        }
        self.choices(at, &before, &now, direction);
    }

    fn types(&mut self, at: &str, before: &Whole<'a>, now: &Whole<'a>, direction: Direction) {
        let (given, taken) = if direction == Sent { (before, now) } else { (now, before) };
        if taken.types.is_empty() {
            return;
        }
        let is_taken =
            |kind: &&&str| taken.types.contains(**kind) || (**kind == "integer" && taken.types.contains("number"));
        let other: Vec<&&str> = given.types.iter().filter(|kind| !is_taken(kind)).collect();
        let is_open = given.types.is_empty();
        let kinds = if is_open { vec!["a value of any type"] } else { other.into_iter().copied().collect() };
        match direction {
            _ if kinds.is_empty() => {}
            Sent => self.found.push(format!("{at} takes no {} any more", kinds.join(" or "))),
            Read => self.found.push(format!("{at} may be {} now", kinds.join(" or "))),
        }
    }

    fn values(&mut self, at: &str, before: &Whole<'a>, now: &Whole<'a>, direction: Direction) {
        if now.values.is_empty() {
            return;
        }
        if before.values.is_empty() && direction == Sent {
            return self.found.push(format!("{at} takes only some values now"));
        }
        for value in before.values.iter().filter(|value| !now.values.contains(value)) {
            self.found.push(format!("{at} has no value {value} any more"));
        }
    }

    fn properties(&mut self, at: &str, before: &Whole<'a>, now: &Whole<'a>, direction: Direction) {
        for (name, property) in &before.properties {
            match now.properties.get(name) {
                None => self.found.push(format!("{at} has no field {name} any more")),
                Some(other) => self.compare(&format!("the field {name} of {at}"), property, other, direction),
            }
        }
        let (given, needed) = if direction == Sent { (before, now) } else { (now, before) };
        for name in needed.required.difference(&given.required).filter(|name| now.properties.contains_key(**name)) {
            let what = if direction == Sent { "is needed now" } else { "may be missing now" };
            self.found.push(format!("the field {name} of {at} {what}"));
        }
        if direction == Sent && now.is_closed && !before.is_closed && !before.types.is_empty() {
            self.found.push(format!("{at} takes no other fields any more"));
        }
    }

    fn bounds(&mut self, at: &str, former: &Value, present: &Value) {
        let number = |schema: &Value, name: &str| schema[name].as_f64();
        let is_less = |name: &&&str| match (number(former, name), number(present, name)) {
            (Some(before), Some(now)) => now < before,
            (before, now) => before.is_none() && now.is_some(),
        };
        let is_more = |name: &&&str| match (number(former, name), number(present, name)) {
            (Some(before), Some(now)) => now > before,
            (before, now) => before.is_none() && now.is_some_and(|now| now > 0.0),
        };
        let others = ["pattern", "format"];
        let is_other = |name: &&&str| !present[**name].is_null() && present[**name] != former[**name];
        let narrower = MOST.iter().filter(is_less).chain(LEAST.iter().filter(is_more));
        for name in narrower.chain(others.iter().filter(is_other)) {
            self.found.push(format!("{at} has a narrower {name}"));
        }
    }

    /// A program need not send a new alternative, and ignores one that it does not know.
    fn choices(&mut self, at: &str, before: &Whole<'a>, now: &Whole<'a>, direction: Direction) {
        for (place, choice) in before.choices.iter().enumerate() {
            let same = |other: &&&Value| !choice["$ref"].is_null() && other["$ref"] == choice["$ref"];
            match now.choices.iter().find(same).or_else(|| now.choices.get(place)) {
                Some(other) => self.compare(&format!("{at}, way {}", place + 1), choice, other, direction),
                None if direction == Sent && !choice["$ref"].is_null() => {
                    self.found.push(format!("{at} takes no {} any more", text(&choice["$ref"])));
                }
                None => {}
            }
        }
    }
}

impl<'a> Whole<'a> {
    fn add(&mut self, schema: &'a Value, document: &'a Value) {
        let schema = resolved(schema, document);
        match &schema["type"] {
            Value::String(kind) => drop(self.types.insert(kind)),
            kinds => self.types.extend(items(kinds).map(text)),
        }
        self.values.extend(items(&schema["enum"]));
        self.values.extend(schema.get("const"));
        self.properties.extend(members(&schema["properties"]).map(|(name, property)| (name.as_str(), property)));
        self.required.extend(items(&schema["required"]).map(text));
        self.is_closed |= schema["additionalProperties"] == false;
        for part in items(&schema["allOf"]) {
            self.add(part, document);
        }
        for choice in items(&schema["anyOf"]).chain(items(&schema["oneOf"])) {
            self.choices.push(choice);
            let mut whole = Whole::default();
            whole.add(choice, document);
            self.types.extend(whole.types);
        }
    }
}
