//! The page to show after a sign-in. It comes from the address, so only pages of the dashboard are accepted: any other
//! value would let a link lead people through our sign-in to another site.

use crate::kit::addresses::HOME;

/// Longest path.
const MAX_LENGTH: usize = 512;

/// The page that an address names; the home page for any other text.
pub(crate) fn parse(text: Option<&str>) -> &str {
    text.filter(|text| is_page(text)).unwrap_or(HOME)
}

fn is_page(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~?&=%".contains(&byte);
    let rest = text.strip_prefix(HOME).filter(|rest| rest.is_empty() || rest.starts_with(['/', '?']));
    rest.is_some() && text.len() <= MAX_LENGTH && text.bytes().all(is_plain) && !text.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_dashboard_are_accepted() {
        for page in ["/dashboard", "/dashboard/settings", "/dashboard?a=1", "/dashboard/keys?a=%2F&b=2"] {
            assert_eq!(parse(Some(page)), page);
        }
        for other in [
            "",
            "/",
            "dashboard",
            "//evil.example/dashboard",
            "https://evil.example/dashboard",
            "/dashboards",
            "/dashboard@evil.example",
            "/dashboard.evil.example",
            "/dashboard/../v1/docs",
            "/dashboard\\evil",
            "/dashboard/\r\nSet-Cookie:a=b",
            "/dashboard#a",
            &format!("/dashboard/{}", "a".repeat(MAX_LENGTH)),
        ] {
            assert_eq!(parse(Some(other)), HOME, "{other}");
        }
        assert_eq!(parse(None), HOME);
    }
}
