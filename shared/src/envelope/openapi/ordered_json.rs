//! JSON values that keep the order of object members.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// The members of an object, in order.
pub(super) type Members = Vec<(String, OrderedJson)>;

/// A JSON value. Object members keep their order.
#[derive(Clone)]
pub(super) enum OrderedJson {
    Object(Members),
    Array(Vec<OrderedJson>),
    Scalar(Value),
}

/// Parses a file of our own OpenAPI document. Null if it were not JSON, which a test rules out.
pub(super) fn parse(text: &str) -> OrderedJson {
    serde_json::from_str(text).unwrap_or(OrderedJson::Scalar(Value::Null))
}

/// An object with these members.
pub(super) fn object<N: Into<String>>(members: impl IntoIterator<Item = (N, OrderedJson)>) -> OrderedJson {
    OrderedJson::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
}

/// A string.
pub(super) fn string(text: impl Into<String>) -> OrderedJson {
    OrderedJson::Scalar(Value::String(text.into()))
}

/// A reference to a component of the document.
pub(super) fn reference(kind: &str, name: &str) -> OrderedJson {
    object([("$ref", string(format!("#/components/{kind}/{name}")))])
}

static NULL: OrderedJson = OrderedJson::Scalar(Value::Null);

impl OrderedJson {
    /// A member of an object.
    pub(super) fn get(&self, name: &str) -> Option<&OrderedJson> {
        self.members().iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// A member of an object; null if absent.
    pub(super) fn child(&self, name: &str) -> &OrderedJson {
        self.get(name).unwrap_or(&NULL)
    }

    /// The value at a path of member names.
    pub(super) fn at(&self, path: &[&str]) -> Option<&OrderedJson> {
        path.iter().try_fold(self, |tree, name| tree.get(name))
    }

    /// The members of an object. Other values have none.
    pub(super) fn members(&self) -> &[(String, OrderedJson)] {
        if let OrderedJson::Object(members) = self { members } else { &[] }
    }

    /// The members of an object, by value. Other values have none.
    pub(super) fn into_members(self) -> Members {
        if let OrderedJson::Object(members) = self { members } else { Vec::new() }
    }

    /// A member of an object, to change it.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut OrderedJson> {
        let OrderedJson::Object(members) = self else { return None };
        members.iter_mut().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The values of an object's members, to change them. Other values have none.
    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut OrderedJson> {
        let members = if let OrderedJson::Object(members) = self { members.as_mut_slice() } else { &mut [] };
        members.iter_mut().map(|(_, value)| value)
    }

    /// The elements of an array. Other values have none.
    pub(super) fn items(&self) -> &[OrderedJson] {
        if let OrderedJson::Array(items) = self { items } else { &[] }
    }

    /// The value of a string.
    pub(super) fn text(&self) -> Option<&str> {
        if let OrderedJson::Scalar(value) = self { value.as_str() } else { None }
    }

    /// The value of a string member; empty if absent.
    pub(super) fn text_at(&self, name: &str) -> &str {
        self.get(name).and_then(OrderedJson::text).unwrap_or_default()
    }

    /// The target of a `$ref` in the same document. Other values resolve to themselves.
    pub(super) fn resolved<'a>(&'a self, document: &'a OrderedJson) -> &'a OrderedJson {
        let path: Option<Vec<&str>> = self.text_at("$ref").strip_prefix("#/").map(|path| path.split('/').collect());
        path.and_then(|path| document.at(&path)).unwrap_or(self)
    }
}

impl<'de> Deserialize<'de> for OrderedJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OrderedJson, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = OrderedJson;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OrderedJson, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(OrderedJson::Object(members))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<OrderedJson, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = sequence.next_element()? {
                    items.push(item);
                }
                Ok(OrderedJson::Array(items))
            }

            fn visit_str<E>(self, text: &str) -> Result<OrderedJson, E> {
                Ok(OrderedJson::Scalar(text.into()))
            }

            fn visit_bool<E>(self, value: bool) -> Result<OrderedJson, E> {
                Ok(OrderedJson::Scalar(value.into()))
            }

            fn visit_u64<E>(self, number: u64) -> Result<OrderedJson, E> {
                Ok(OrderedJson::Scalar(number.into()))
            }

            fn visit_i64<E>(self, number: i64) -> Result<OrderedJson, E> {
                Ok(OrderedJson::Scalar(number.into()))
            }

            fn visit_f64<E>(self, number: f64) -> Result<OrderedJson, E> {
                Ok(OrderedJson::Scalar(number.into()))
            }

            fn visit_unit<E>(self) -> Result<OrderedJson, E> {
                Ok(OrderedJson::Scalar(Value::Null))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

impl Serialize for OrderedJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            OrderedJson::Object(members) => serializer.collect_map(members.iter().map(|(name, value)| (name, value))),
            OrderedJson::Array(items) => items.serialize(serializer),
            OrderedJson::Scalar(value) => value.serialize(serializer),
        }
    }
}
