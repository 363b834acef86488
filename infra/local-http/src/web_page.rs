//! Detection of requests that a web page made a browser send.
//!
//! A page may send requests to any port of this machine, and well-known ports are easy to guess. It fails two checks:
//! its browser adds `Origin` to a POST, and after DNS rebinding `Host` still names the page's site.

use http::HeaderMap;
use http::header::{HOST, ORIGIN};

/// Refuses a request that a web page of another site may have sent, with the reason. `hosts` are the names in `Host`,
/// without the port, by which clients may call this server.
pub fn reject_web_page<S: AsRef<str>>(headers: &HeaderMap, hosts: &[S]) -> Result<(), String> {
    let is_known = |host: &str| {
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        hosts.iter().any(|known| known.as_ref() == name)
    };
    let names: Vec<&str> = hosts.iter().map(AsRef::as_ref).collect();
    let host = only_value(headers, HOST.as_str()).filter(|host| is_known(host));
    let host = host.ok_or_else(|| format!("The Host header must name one of {}.", names.join(", ")))?;
    let is_own = |origin: &str| origin.strip_prefix("http://") == Some(host);
    if headers.contains_key(ORIGIN) && !only_value(headers, ORIGIN.as_str()).is_some_and(is_own) {
        return Err("This port does not serve other sites' pages: the request has a foreign Origin header.".to_owned());
    }
    Ok(())
}

/// The value of a header that is sent once.
fn only_value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(only), None) => only.to_str().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderName;

    fn passes(headers: &[(HeaderName, &'static str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().unwrap());
        }
        reject_web_page(&map, &["localhost", "127.0.0.1"]).is_ok()
    }

    #[test]
    fn programs_and_own_pages_pass_and_foreign_pages_do_not() {
        for host in ["localhost:4566", "127.0.0.1:4566", "localhost"] {
            assert!(passes(&[(HOST, host)]), "{host}");
        }
        for host in ["evil.example:4566", "172.17.0.2:4566", "127.0.0.1.evil.example", "", "[::1]:4566"] {
            assert!(!passes(&[(HOST, host)]), "{host}");
        }
        assert!(passes(&[(HOST, "127.0.0.1:4566"), (ORIGIN, "http://127.0.0.1:4566")]));
        for origin in ["https://evil.example", "null", "http://127.0.0.1:4567", "https://127.0.0.1:4566", ""] {
            assert!(!passes(&[(HOST, "127.0.0.1:4566"), (ORIGIN, origin)]), "{origin}");
        }
        assert!(!passes(&[]) && !passes(&[(HOST, "localhost"), (HOST, "evil.example")]));
    }
}
