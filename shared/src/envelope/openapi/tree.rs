//! JSON that keeps the order of its members, as a page for people needs it.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// A JSON value.
pub(super) enum Tree {
    Object(Vec<(String, Tree)>),
    Array(Vec<Tree>),
    Plain(Value),
}

/// Reads a text that is known to be JSON.
pub(super) fn parse(text: &str) -> Tree {
    serde_json::from_str(text).unwrap_or(Tree::Plain(Value::Null))
}

impl Tree {
    /// A member of an object.
    pub(super) fn get(&self, name: &str) -> Option<&Tree> {
        self.members().iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// A value further down.
    pub(super) fn at(&self, path: &[&str]) -> Option<&Tree> {
        path.iter().try_fold(self, |tree, name| tree.get(name))
    }

    /// The members of an object; none of anything else.
    pub(super) fn members(&self) -> &[(String, Tree)] {
        if let Tree::Object(members) = self { members } else { &[] }
    }

    /// The elements of an array; none of anything else.
    pub(super) fn items(&self) -> &[Tree] {
        if let Tree::Array(items) = self { items } else { &[] }
    }

    /// A string.
    pub(super) fn text(&self) -> Option<&str> {
        if let Tree::Plain(value) = self { value.as_str() } else { None }
    }

    /// A member that is a string; empty without it.
    pub(super) fn text_at(&self, name: &str) -> &str {
        self.get(name).and_then(Tree::text).unwrap_or_default()
    }

    /// What a reference in the same document leads to; a value that is no reference leads to itself.
    pub(super) fn resolved<'a>(&'a self, document: &'a Tree) -> &'a Tree {
        let path: Option<Vec<&str>> = self.text_at("$ref").strip_prefix("#/").map(|path| path.split('/').collect());
        path.and_then(|path| document.at(&path)).unwrap_or(self)
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tree, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Tree;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Tree::Object(members))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Tree, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = sequence.next_element()? {
                    items.push(item);
                }
                Ok(Tree::Array(items))
            }

            fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
                Ok(Tree::Plain(text.into()))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
                Ok(Tree::Plain(value.into()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Tree, E> {
                Ok(Tree::Plain(number.into()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<Tree, E> {
                Ok(Tree::Plain(number.into()))
            }

            fn visit_unit<E>(self) -> Result<Tree, E> {
                Ok(Tree::Plain(Value::Null))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Tree::Object(members) => serializer.collect_map(members.iter().map(|(name, value)| (name, value))),
            Tree::Array(items) => items.serialize(serializer),
            Tree::Plain(value) => value.serialize(serializer),
        }
    }
}
