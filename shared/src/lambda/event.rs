//! API Gateway's events (HTTP API, payload 2.0) as requests, and responses in its form.
//!
//! The conversion of `lambda_http` panics where the query or `Host` cannot be part of a URI. Here such a request is
//! [`MalformedUri`] and gets an error response.

use crate::serve::{MalformedUri, SourceAddress};
use http::header::{COOKIE, HOST, SET_COOKIE};
use http::uri::{Authority, PathAndQuery};
use http::{HeaderMap, HeaderValue, Uri};
use lambda_http::aws_lambda_events::apigw::{ApiGatewayV2httpRequest, ApiGatewayV2httpResponse};
use lambda_http::lambda_runtime::LambdaEvent;
use lambda_http::{Body, Request, RequestExt, Response};
use std::borrow::Cow;
use std::net::IpAddr;
use url::Url;

/// The request of an event.
pub fn request(event: LambdaEvent<ApiGatewayV2httpRequest>) -> Request {
    let LambdaEvent { payload, context } = event;
    let body =
        payload.body.as_deref().map_or(Body::Empty, |body| Body::from_maybe_encoded(payload.is_base64_encoded, body));
    let (uri, is_query_valid) =
        uri(payload.raw_path.as_deref().unwrap_or_default(), payload.raw_query_string.as_deref().unwrap_or_default());
    let malformed = match (is_query_valid, is_host_valid(&payload.headers)) {
        (false, _) => Some(MalformedUri::Query),
        (true, false) => Some(MalformedUri::Host),
        (true, true) => None,
    };
    let source = payload.request_context.http.source_ip.as_deref().and_then(|source| source.parse::<IpAddr>().ok());
    let mut request = Request::new(body);
    *request.method_mut() = payload.request_context.http.method;
    *request.uri_mut() = uri;
    *request.headers_mut() = payload.headers;
    // API Gateway takes the cookies out of the headers.
    for cookie in payload.cookies.unwrap_or_default() {
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            request.headers_mut().append(COOKIE, cookie);
        }
    }
    if let Some(source) = source {
        request.extensions_mut().insert(SourceAddress(source));
    }
    if let Some(malformed) = malformed {
        request.extensions_mut().insert(malformed);
    }
    request.with_lambda_context(context)
}

/// A response in API Gateway's form. It expects cookies in a field of their own.
pub(super) fn response(response: Response<Body>) -> ApiGatewayV2httpResponse {
    let (mut parts, body) = response.into_parts();
    let cookies = parts.headers.get_all(SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok().map(str::to_owned));
    let cookies = cookies.collect();
    parts.headers.remove(SET_COOKIE);
    let mut converted = ApiGatewayV2httpResponse::default();
    converted.status_code = i64::from(parts.status.as_u16());
    converted.headers = parts.headers;
    converted.cookies = cookies;
    converted.is_base64_encoded = matches!(body, Body::Binary(_));
    converted.body = Some(match body {
        Body::Empty => Body::Text(String::new()),
        body => body,
    });
    converted
}

/// The address of a request, without a query that cannot be part of a URI. `false` for such a query.
fn uri(path: &str, query: &str) -> (Uri, bool) {
    let path = encoded(path);
    if query.is_empty() {
        return (parse(path.into_owned()).unwrap_or_default(), true);
    }
    // `Uri` would drop the fragment.
    let with_query = if query.contains('#') { None } else { parse(format!("{path}?{query}")) };
    match with_query {
        Some(uri) => (uri, true),
        None => (parse(path.into_owned()).unwrap_or_default(), false),
    }
}

fn parse(path_and_query: String) -> Option<Uri> {
    PathAndQuery::try_from(path_and_query).ok().map(Uri::from)
}

/// The path with characters that a URI does not allow percent-encoded: API Gateway may have decoded them.
fn encoded(path: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.' | b'~' | b'%');
    if path.starts_with('/') && path.bytes().all(is_plain) {
        return Cow::Borrowed(path);
    }
    let Ok(mut url) = Url::parse("http://localhost") else { return Cow::Borrowed(path) };
    url.set_path(path);
    Cow::Owned(url.path().to_owned())
}

/// Whether `Host` is a host name or address with an optional port. Also `true` without the header.
fn is_host_valid(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(HOST).map(|host| host.as_bytes()) else { return true };
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    if host.iter().all(is_plain) {
        return true;
    }
    Authority::try_from(host).is_ok_and(|authority| {
        let has_port = authority.port_u16().is_some();
        !host.contains(&b'@') && (has_port || authority.host().len() == host.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_its_path_and_query_as_sent() {
        for (path, query, expected) in [
            ("/v1/campaigns", "", "/v1/campaigns"),
            ("/v1/campaigns/a_1_2", "limit=2&x=%2F", "/v1/campaigns/a_1_2?limit=2&x=%2F"),
            ("/v1/%zz", "a={}|^`'", "/v1/%zz?a={}|^`'"),
            ("/a b", "", "/a%20b"),
            ("/é?#", "b", "/%C3%A9%3F%23?b"),
            ("", "", "/"),
            ("", "a", "/?a"),
        ] {
            assert_eq!(uri(path, query), (expected.parse().unwrap(), true), "{path} {query}");
        }
    }

    #[test]
    fn a_query_outside_of_a_uri_is_dropped_and_reported() {
        for query in ["<", ">", "\"", "a b", "a=1#b", "\u{0}", "\u{7f}", &"a".repeat(70_000)] {
            assert_eq!(uri("/v1/docs", query), (Uri::from_static("/v1/docs"), false), "{query:.9}");
        }
    }

    #[test]
    fn cookies_have_fields_of_their_own() {
        let mut payload = ApiGatewayV2httpRequest::default();
        payload.cookies = Some(vec!["a=1".to_owned(), "b=2".to_owned()]);
        let request = request(LambdaEvent::new(payload, Default::default()));
        let cookies: Vec<_> = request.headers().get_all(COOKIE).iter().collect();
        assert_eq!(cookies, ["a=1", "b=2"]);
        let mut with_cookies = Response::new(Body::Empty);
        with_cookies.headers_mut().append(SET_COOKIE, HeaderValue::from_static("a=1; Path=/"));
        let converted = response(with_cookies);
        assert_eq!(converted.cookies, ["a=1; Path=/"]);
        assert!(converted.headers.is_empty());
    }

    #[test]
    fn the_address_of_a_caller_is_what_api_gateway_has_seen() {
        for (told, expected) in [("203.0.113.7", true), ("2001:db8::1", true), ("a, b", false), ("", false)] {
            let mut payload = ApiGatewayV2httpRequest::default();
            payload.request_context.http.source_ip = Some(told.to_owned());
            payload.headers.insert("x-forwarded-for", HeaderValue::from_static("192.0.2.1"));
            let request = request(LambdaEvent::new(payload, Default::default()));
            let source = request.extensions().get::<SourceAddress>().map(|SourceAddress(source)| source.to_string());
            assert_eq!(source.as_deref(), expected.then_some(told));
        }
    }

    #[test]
    fn a_host_has_no_user_and_a_port_of_16_bits() {
        let is_valid = |host: &'static str| is_host_valid(&HeaderMap::from_iter([(HOST, host.parse().unwrap())]));
        for host in ["example.com", "a:1", "a:65535", "[::1]", "[::1]:80", "999.999.999.999", "xn--a", ""] {
            assert!(is_valid(host), "{host}");
        }
        for host in ["a:65536", "a:", "a:b", "a b", "<", "a@b", "a@b:80", "a/b", "a,b:c", "[::1", "[::1]:99999"] {
            assert!(!is_valid(host), "{host}");
        }
        assert!(is_host_valid(&HeaderMap::new()));
    }
}
