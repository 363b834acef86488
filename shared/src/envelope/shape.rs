//! The two shapes of the campaign endpoints, and their detection.

use super::shape_hint::enveloped_sign;
use crate::domain::Platform;
use crate::error::Error;
use strum::{EnumString, IntoStaticStr};

/// A JSON shape of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Shape {
    /// Bare objects, lower-case platforms, flat errors. The default.
    Flat,
    /// `data`, upper-case platforms, nested errors.
    Enveloped,
}

/// The header that selects the shape of a request, and that names the shape of its response.
pub const SHAPE_HEADER: &str = "x-api-shape";

impl Shape {
    /// Its name, which is the header value.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The shape with this name.
    pub fn parse(name: &str) -> Option<Shape> {
        name.parse().ok()
    }

    /// Parses the header value.
    pub fn from_header(value: &str) -> Result<Shape, Error> {
        Shape::parse(value).ok_or_else(|| Error::field("X-API-Shape", "must be flat or enveloped"))
    }

    /// Detects the shape of a request without the header. `organization_id`, `targets` and an upper-case platform mean
    /// enveloped.
    pub fn of_request(query: &[(String, String)], body: &[u8]) -> Shape {
        let is_enveloped = |name: &str, value: &str| {
            matches!(name, "organization_id" | "targets")
                || (name == "platform" && Platform::from_upper(value).is_some())
        };
        let in_query = query.iter().any(|(name, value)| is_enveloped(name, value));
        if in_query || enveloped_sign(body).is_some() { Shape::Enveloped } else { Shape::Flat }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_flat_unless_a_field_is_of_the_enveloped_shape() {
        let pair = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        assert_eq!(Shape::of_request(&[], b""), Shape::Flat);
        assert_eq!(Shape::of_request(&[], br#"{"platform":"alpha_ads"}"#), Shape::Flat);
        assert_eq!(Shape::of_request(&[], br#"{"platform":"ALPHA"}"#), Shape::Enveloped);
        assert_eq!(Shape::of_request(&[], br#"{"targets":[]}"#), Shape::Enveloped);
        assert_eq!(Shape::of_request(&[], br#"{"organization_id":"1"}"#), Shape::Enveloped);
        assert_eq!(Shape::of_request(&pair("platform", "ALPHA"), b""), Shape::Enveloped);
        assert_eq!(Shape::of_request(&pair("platform", "alpha_ads"), b""), Shape::Flat);
        assert_eq!(Shape::of_request(&[], br#"{"platform":"ALPHA""#), Shape::Flat, "broken JSON is flat");
    }
}
