//! Tests of field errors.

use super::*;

fn errors(body: &str) -> Vec<(String, String)> {
    let mut fields = match Fields::parse(body.as_bytes()) {
        Ok(fields) => fields,
        Err(error) => return error.details.into_iter().map(|error| (error.field, error.rule.to_string())).collect(),
    };
    let name = fields.string("name");
    fields.require("name", name);
    fields.decimal("amount");
    let error = fields.finish().unwrap_err();
    error.details.into_iter().map(|error| (error.field, error.rule.to_string())).collect()
}

#[test]
fn each_error_names_its_field_and_all_are_reported_together() {
    let found = errors(r#"{"name":7,"amount":"1","extra":null,"extra":1}"#);
    let fields: Vec<&str> = found.iter().map(|(field, _)| field.as_str()).collect();
    assert_eq!(fields, ["extra", "name", "amount", "extra"]);
    assert_eq!(found[0].1, "is given twice");
}

#[test]
fn the_first_unknown_field_names_those_that_there_are() {
    let found = errors(r#"{"name":"n","titel":"t","more":1}"#);
    assert_eq!(found[0].1, "is not a field of this request, which has name, amount");
    assert_eq!(found[1].1, "is not a field of this request");
}

#[test]
fn a_body_that_is_not_an_object_is_an_error_of_the_body() {
    for body in ["", "  ", "null", "[]", "\"x\"", "{", "{\"a\":1,}", "{} {}", "{\"a\":NaN}", "{'a':1}"] {
        assert_eq!(errors(body)[0].0, "body", "{body}");
    }
}

#[test]
fn a_lone_surrogate_is_an_error_of_its_field() {
    assert_eq!(errors(r#"{"name":"\ud800"}"#)[0].0, "name");
}

#[test]
fn an_escaped_field_name_equals_the_plain_one() {
    assert_eq!(errors(r#"{"name":"a","n\u0061me":"b"}"#)[0], ("name".to_owned(), "is given twice".to_owned()));
}
