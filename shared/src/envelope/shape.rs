//! The two shapes of the campaign endpoints, and which one a request asks for (spec 1.5).

use super::fields::Fields;
use crate::domain::Platform;
use crate::error::Error;

/// A shape of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Bare objects, lower-case platforms, flat errors. The default.
    Flat,
    /// `data`, upper-case platforms, nested errors.
    Enveloped,
}

/// The header that asks for a shape, and that names the shape of an answer.
pub const SHAPE_HEADER: &str = "x-api-shape";

impl Shape {
    /// The value in the header.
    pub fn as_str(self) -> &'static str {
        match self {
            Shape::Flat => "flat",
            Shape::Enveloped => "enveloped",
        }
    }

    /// Reads the header's value.
    pub fn from_header(value: &str) -> Result<Shape, Error> {
        match value {
            "flat" => Ok(Shape::Flat),
            "enveloped" => Ok(Shape::Enveloped),
            _ => Err(Error::field("X-API-Shape", "must be flat or enveloped")),
        }
    }

    /// The shape that a request speaks without saying so: the signs of the enveloped shape are `organization_id`,
    /// `targets`, and a platform in upper case.
    pub fn of_request(query: &[(String, String)], body: &[u8]) -> Shape {
        let is_sign = |name: &str, value: &str| {
            matches!(name, "organization_id" | "targets")
                || (name == "platform" && Platform::from_upper(value).is_some())
        };
        let in_query = query.iter().any(|(name, value)| is_sign(name, value));
        if in_query || body_has_sign(body) { Shape::Enveloped } else { Shape::Flat }
    }
}

fn body_has_sign(body: &[u8]) -> bool {
    let Ok(mut fields) = Fields::parse(body) else { return false };
    fields.has("organization_id")
        || fields.has("targets")
        || fields.string("platform").is_some_and(|word| Platform::from_upper(&word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_flat_unless_it_shows_a_sign_of_the_other_shape() {
        let pair = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        assert_eq!(Shape::of_request(&[], b""), Shape::Flat);
        assert_eq!(Shape::of_request(&[], br#"{"platform":"alpha_ads"}"#), Shape::Flat);
        assert_eq!(Shape::of_request(&[], br#"{"platform":"ALPHA"}"#), Shape::Enveloped);
        assert_eq!(Shape::of_request(&[], br#"{"targets":[]}"#), Shape::Enveloped);
        assert_eq!(Shape::of_request(&[], br#"{"organization_id":"1"}"#), Shape::Enveloped);
        assert_eq!(Shape::of_request(&pair("platform", "ALPHA"), b""), Shape::Enveloped);
        assert_eq!(Shape::of_request(&pair("platform", "alpha_ads"), b""), Shape::Flat);
        assert_eq!(Shape::of_request(&[], br#"{"platform":"ALPHA""#), Shape::Flat, "broken JSON has no sign");
    }
}
