//! Messages and their fields.

use super::names::camel;

/// A message with its fields.
#[derive(Debug)]
pub(crate) struct Message(pub(crate) &'static [Field]);

/// An enum of the API.
#[derive(Debug)]
pub(crate) struct EnumType {
    name: &'static str,
    values: &'static [&'static str],
    has_unknown: bool,
}

impl EnumType {
    /// An enum with the constants `values`, `UNSPECIFIED` and `UNKNOWN`. `name` follows
    /// `google.ads.googleads.v26.enums.`.
    pub(crate) const fn new(name: &'static str, values: &'static [&'static str]) -> Self {
        Self { name, values, has_unknown: true }
    }

    /// An enum without the constant `UNKNOWN`.
    pub(crate) const fn without_unknown(name: &'static str, values: &'static [&'static str]) -> Self {
        Self { name, values, has_unknown: false }
    }

    pub(crate) fn contains(&self, constant: &str) -> bool {
        match constant {
            "UNSPECIFIED" => true,
            "UNKNOWN" => self.has_unknown,
            constant => self.values.contains(&constant),
        }
    }

    /// The name in error messages.
    pub(crate) fn type_url(&self) -> String {
        format!("type.googleapis.com/google.ads.googleads.v26.enums.{}", self.name)
    }
}

/// The type of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Type {
    String,
    Int64,
    Bool,
    Double,
    Enum(&'static EnumType),
    Message(&'static Message),
    Repeated(&'static Message),
    /// `google.protobuf.FieldMask`.
    FieldMask,
    /// Any type of a field that Google has and the sandbox does not support.
    Unsupported,
}

/// When a client may write a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writable {
    Always,
    OnCreate,
    Never,
}

/// A field of a message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    /// The name in snake_case.
    pub(crate) name: &'static str,
    pub(crate) value_type: Type,
    pub(crate) writable: Writable,
    /// The `oneof` group. A client may set only one of its fields.
    pub(crate) oneof: Option<&'static str>,
}

impl Field {
    pub(crate) const fn new(name: &'static str, value_type: Type) -> Self {
        Self { name, value_type, writable: Writable::Always, oneof: None }
    }

    /// Marks the field as writable on create only.
    pub(crate) const fn immutable(self) -> Self {
        Self { writable: Writable::OnCreate, ..self }
    }

    /// Marks the field as output only.
    pub(crate) const fn output(self) -> Self {
        Self { writable: Writable::Never, ..self }
    }

    pub(crate) const fn oneof(self, group: &'static str) -> Self {
        Self { oneof: Some(group), ..self }
    }
}

impl Message {
    /// A field by its snake_case or lowerCamelCase name.
    pub(crate) fn field(&self, key: &str) -> Option<&'static Field> {
        self.0.iter().find(|field| field.name == key || camel(field.name) == key)
    }
}

/// A string field.
pub(crate) const fn string(name: &'static str) -> Field {
    Field::new(name, Type::String)
}

/// A 64-bit integer field.
pub(crate) const fn int64(name: &'static str) -> Field {
    Field::new(name, Type::Int64)
}

/// A boolean field.
pub(crate) const fn boolean(name: &'static str) -> Field {
    Field::new(name, Type::Bool)
}

/// An enum field.
pub(crate) const fn enumeration(name: &'static str, of: &'static EnumType) -> Field {
    Field::new(name, Type::Enum(of))
}

/// A message field.
pub(crate) const fn message(name: &'static str, of: &'static Message) -> Field {
    Field::new(name, Type::Message(of))
}

/// A field that the sandbox does not support.
pub(crate) const fn unsupported(name: &'static str) -> Field {
    Field::new(name, Type::Unsupported)
}
