//! The Google Ads Query Language, as far as campaigns need it.
//!
//! Google Ads API: Query language, Grammar and Query structure.

mod lexer;
mod parser;
mod query;

pub(crate) use parser::parse;
pub(crate) use query::{Condition, Literal, Operator, Query, QueryError};
