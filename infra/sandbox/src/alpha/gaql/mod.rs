//! The Google Ads Query Language, as far as campaigns need it.
//!
//! Google Ads API: Query language, Grammar and Query structure.

mod conditions;
mod lexer;
mod parser;
mod query;
mod token_stream;

pub(crate) use parser::parse;
pub(crate) use query::{Condition, Literal, Operator, Query, QueryError};
