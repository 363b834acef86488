//! Messages of the API, and the proto3 JSON that encodes them.
//!
//! Protocol Buffers: ProtoJSON Format.

mod message;
mod names;
mod parse;

pub(crate) use message::{
    EnumType, Field, Message, Type, Writable, boolean, enumeration, int64, message, string, unsupported,
};
pub(crate) use names::{camel, camel_path, insert};
pub(crate) use parse::parse;
