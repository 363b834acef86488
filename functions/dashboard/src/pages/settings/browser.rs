//! The name of a browser for people, from what it says of itself.

/// The browsers by the word that only they have. Most also say that they are Chrome, and all that they are Safari, so
/// the order decides.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];
/// The systems. An iPhone also says that it is like a Mac, and Android that it is Linux.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// The browser and its system: `Chrome on Windows`.
pub(super) fn name(user_agent: &str) -> String {
    let known = |names: &[(&str, &'static str)]| {
        names.iter().find(|(word, _)| user_agent.contains(word)).map(|(_, name)| *name)
    };
    match (known(&BROWSERS), known(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, Some(system)) => format!("Unknown browser on {system}"),
        (None, None) => "Unknown browser".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_has_its_name_and_its_system() {
        let webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
        let windows = format!("Mozilla/5.0 (Windows NT 10.0; Win64; x64) {webkit} Chrome/140.0.0.0 Safari/537.36");
        let iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
        for (user_agent, shown) in [
            (windows.clone(), "Chrome on Windows"),
            (format!("{windows} Edg/140.0.0.0"), "Edge on Windows"),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 \
                 Safari/605.1.15"
                    .to_owned(),
                "Safari on Mac",
            ),
            (format!("{iphone} Version/18.6 Mobile/15E148 Safari/604.1"), "Safari on iPhone"),
            (format!("{iphone} CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1"), "Chrome on iPhone"),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0".to_owned(), "Firefox on Linux"),
            (
                format!("Mozilla/5.0 (Linux; Android 10; K) {webkit} Chrome/140.0.0.0 Mobile Safari/537.36"),
                "Chrome on Android",
            ),
            ("Mozilla/5.0 (Windows NT 10.0)".to_owned(), "Unknown browser on Windows"),
            ("curl/8.5.0".to_owned(), "Unknown browser"),
            (String::new(), "Unknown browser"),
        ] {
            assert_eq!(name(&user_agent), shown, "{user_agent}");
        }
    }
}
