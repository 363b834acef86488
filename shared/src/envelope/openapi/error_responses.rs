//! The error responses of the document. Operations refer to them by name: `BadRequest` in the flat shape,
//! `EnvelopedBadRequest` in the enveloped one, `EitherBadRequest` where the request chooses the shape.

use super::super::error_response::status_of;
use super::super::{Shape, flat};
use super::headers::{header_names, header_references};
use super::ordered_json::{OrderedJson, object, reference, string};
use crate::error::Kind;
use crate::routes::Shapes::{self, Both, Enveloped, Flat};

/// A row of the table: a response for each of its shapes.
struct ErrorResponse {
    name: &'static str,
    shapes: &'static [Shapes],
    kinds: &'static [Kind],
    description: &'static str,
    /// A header besides those of every response.
    header: Option<&'static str>,
}

const fn row(
    name: &'static str,
    shapes: &'static [Shapes],
    kinds: &'static [Kind],
    description: &'static str,
) -> ErrorResponse {
    ErrorResponse { name, shapes, kinds, description, header: None }
}

const ALL: &[Shapes] = &[Flat, Enveloped, Both];

/// The table. Only what an operation refers to is in it.
const ERROR_RESPONSES: [ErrorResponse; 17] = [
    row(
        "BadRequest",
        ALL,
        &[Kind::Validation],
        "A field or parameter is missing, unknown, repeated or invalid. The error names it. Nothing was sent to a \
         platform.",
    ),
    ErrorResponse {
        header: Some("WWW-Authenticate"),
        ..row(
            "Unauthorized",
            ALL,
            &[Kind::Unauthorized],
            "The API key is missing, malformed, unknown, expired, deleted or rotated.",
        )
    },
    row(
        "Forbidden",
        ALL,
        &[Kind::Forbidden],
        "The key is valid, but the request is not permitted: a scope that the key lacks, no active connection, a \
         feature outside of the plan, an account without access on the platform, or a disabled customer.",
    ),
    row("NotFound", ALL, &[Kind::NotFound], "The resource does not exist, or belongs to another customer."),
    row(
        "MethodNotAllowed",
        &[Enveloped, Both],
        &[Kind::MethodNotAllowed],
        "The path does not support this method. `Allow` lists the supported methods.",
    )
    .with_header("Allow"),
    row("Conflict", ALL, &[Kind::Conflict], "The request conflicts with the current state.").with_header("Retry-After"),
    row("PayloadTooLarge", ALL, &[Kind::PayloadTooLarge], "The body is larger than 256 KiB."),
    row("UnsupportedMediaType", ALL, &[Kind::UnsupportedMediaType], "The content type is not JSON."),
    row("KeyReused", &[Flat], &[Kind::KeyReused], "The `Idempotency-Key` was used with a different request.")
        .with_header("Idempotent-Replayed"),
    row(
        "PlatformRefused",
        &[Both],
        &[Kind::PlatformRefused, Kind::KeyReused],
        "The platform rejected the request; the message quotes it (`PLATFORM_ERROR`). Or the `Idempotency-Key` was \
         used with a different request (`CONFLICT`).",
    )
    .with_header("Idempotent-Replayed"),
    row(
        "TokenExpired",
        &[Both],
        &[Kind::TokenExpired],
        "The user's consent on the platform has ended, and the connection is `REVOKED`. `Link` has the URL to \
         authorize again.",
    )
    .with_header("Link"),
    row(
        "TooManyRequests",
        ALL,
        &[Kind::RateLimited, Kind::QuotaExceeded],
        "Too many requests in a short time, or too many at a time that wait for platforms (`RATE_LIMITED`; with \
         `platform`, the platform throttled the request), or the quota of the billing period is used up \
         (`RATE_LIMIT_EXCEEDED`).",
    )
    .with_header("Retry-After"),
    row(
        "RateLimited",
        &[Flat],
        &[Kind::RateLimited],
        "Too many requests in a short time, here or at the payment provider. The quota does not apply.",
    )
    .with_header("Retry-After"),
    row("InternalError", ALL, &[Kind::Internal], "Internal error."),
    row(
        "NotSupported",
        &[Flat, Both],
        &[Kind::NotSupported],
        "The platform does not support the operation, or is not configured.",
    ),
    row(
        "PlatformFailed",
        &[Flat, Both],
        &[Kind::PlatformFailed],
        "The platform or the payment provider failed, or sent an invalid response.",
    )
    .with_header("Retry-After"),
    row(
        "NoAnswer",
        ALL,
        &[Kind::PlatformTimeout],
        "No response in time. If `retryable` is false, the outcome is unknown: check it before you repeat the request.",
    )
    .with_header("Retry-After"),
];

/// The error responses under their names.
pub(super) fn error_responses() -> OrderedJson {
    let named = |shapes| {
        let rows = ERROR_RESPONSES.iter().filter(move |row| row.shapes.contains(&shapes));
        rows.map(move |row| (row.name_in(shapes), row.response(shapes)))
    };
    object(ALL.iter().copied().flat_map(named))
}

/// The members of `responses` in the files of `paths/` that list statuses, with the shapes of the responses.
const LISTS: [(&str, Shapes); 3] = [("flat errors", Flat), ("enveloped errors", Enveloped), ("either errors", Both)];

/// Replaces the lists of statuses by references to the error responses, in the order of the statuses.
pub(super) fn add_error_responses(paths: &mut OrderedJson) {
    for operation in paths.values_mut().flat_map(OrderedJson::values_mut) {
        let Some(OrderedJson::Object(responses)) = operation.get_mut("responses") else { continue };
        for (list, shapes) in LISTS {
            let Some(at) = responses.iter().position(|(name, _)| name == list) else { continue };
            let (_, statuses) = responses.remove(at);
            let statuses = statuses.text().unwrap_or_default().split(' ');
            responses.extend(statuses.map(|status| (status.to_owned(), error_reference(status, shapes))));
        }
        responses.sort_by(|(one, _), (other, _)| one.cmp(other));
    }
}

/// A reference to the response of a status: to that of both shapes where these have none of their own.
fn error_reference(status: &str, shapes: Shapes) -> OrderedJson {
    let has_status = |row: &&ErrorResponse| row.kinds.iter().any(|kind| status_of(*kind).as_str() == status);
    let named = |shapes| {
        let mut rows = ERROR_RESPONSES.iter().filter(has_status);
        rows.find(|row| row.shapes.contains(&shapes)).map(|row| row.name_in(shapes))
    };
    reference("responses", &named(shapes).or_else(|| named(Both)).unwrap_or_default())
}

impl ErrorResponse {
    const fn with_header(self, name: &'static str) -> ErrorResponse {
        ErrorResponse { header: Some(name), ..self }
    }

    fn name_in(&self, shapes: Shapes) -> String {
        let prefix = match shapes {
            Flat => "",
            Enveloped => "Enveloped",
            Both => "Either",
        };
        format!("{prefix}{}", self.name)
    }

    fn response(&self, shapes: Shapes) -> OrderedJson {
        let (schema, each): (_, &[Shape]) = match shapes {
            Flat => ("FlatError", &[Shape::Flat]),
            Enveloped => ("EnvelopedError", &[Shape::Enveloped]),
            Both => ("ErrorAnswer", &[Shape::Flat, Shape::Enveloped]),
        };
        let by_shape = |value: fn(&ErrorResponse, Shape) -> OrderedJson| {
            object(each.iter().map(|shape| (shape.as_str(), value(self, *shape))))
        };
        let media = object([("schema", reference("schemas", schema)), ("examples", by_shape(ErrorResponse::example))]);
        object([
            ("description", string(self.description)),
            ("x-error-codes", by_shape(ErrorResponse::codes)),
            ("headers", self.headers(shapes)),
            ("content", object([("application/json", media)])),
        ])
    }

    fn example(&self, shape: Shape) -> OrderedJson {
        let name = match shape {
            Shape::Flat => self.name_in(Flat),
            Shape::Enveloped => self.name_in(Enveloped),
        };
        reference("examples", &name)
    }

    fn codes(&self, shape: Shape) -> OrderedJson {
        let code = match shape {
            Shape::Flat => flat::code,
            Shape::Enveloped => Kind::code,
        };
        OrderedJson::Array(self.kinds.iter().map(|kind| string(code(*kind))).collect())
    }

    /// Whether a request for a change of a campaign can fail like this after it has begun.
    fn may_follow_a_change(&self) -> bool {
        let is_before = |kind: &Kind| {
            matches!(
                kind,
                Kind::Unauthorized | Kind::MethodNotAllowed | Kind::PayloadTooLarge | Kind::UnsupportedMediaType
            )
        };
        !self.kinds.iter().any(is_before)
    }

    fn headers(&self, shapes: Shapes) -> OrderedJson {
        // Paths of one shape refer to the 405 of both, too, and do not name the shape.
        let names_shape = shapes == Both && self.kinds != [Kind::MethodNotAllowed];
        let mut names = header_names(names_shape, true);
        names.extend(self.header);
        if shapes == Both && self.may_follow_a_change() {
            names.push("Change-Id");
        }
        OrderedJson::Object(header_references(&names))
    }
}
