//! Random mutations of URIs, checked against a second implementation of the rules.

use super::*;

/// A reproducible random source. A failure prints the seed.
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

const BEGINNINGS: [&str; 12] = [
    "https://example.com/cb?x=1",
    "http://localhost:3000/cb",
    "http://127.0.0.1:8000/cb",
    "http://localhost@evil.com/",
    "http://127.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://evil.com/",
    "http://localhost.evil.com/",
    "https:evil.com",
    "http:\\\\localhost",
    "http://%6cocalhost/",
];
const PIECES: [&str; 40] = [
    "http",
    "https",
    ":",
    "/",
    "//",
    "\\",
    "@",
    "#",
    "?",
    "&",
    ".",
    "..",
    "%",
    "%2e",
    "%00",
    "%40",
    "%2f",
    "[",
    "]",
    "::1",
    "0",
    "1",
    "127.0.0.1",
    "127",
    "0x7f",
    "localhost",
    "LOCALHOST",
    "evil.com",
    "example.com",
    "\t",
    "\n",
    " ",
    "\0",
    "ⓛ",
    "。",
    "ü",
    "\u{200b}",
    "\u{ad}",
    "-",
    "xn--",
];

fn mutated(random: &mut Xorshift) -> String {
    let mut text: Vec<char> = random.pick(&BEGINNINGS).chars().collect();
    for _ in 0..random.below(5) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(6)).min(text.len());
        let piece: Vec<char> = match random.below(3) {
            0 => Vec::new(),
            1 => random.pick(&PIECES).chars().collect(),
            _ => text[at..end].iter().flat_map(|c| [*c, *c]).collect(),
        };
        let end = if random.below(2) == 0 { at } else { end };
        text.splice(at..end, piece);
    }
    text.into_iter().collect()
}

/// The rules, implemented without a URL parser.
fn follows_the_rules(text: &str) -> bool {
    let is_local = |rest: &str| {
        ["localhost", "127.0.0.1"].iter().any(|host| {
            let after = rest.strip_prefix(host);
            after.is_some_and(|after| after.is_empty() || after.starts_with([':', '/', '?']))
        })
    };
    let after_scheme = text.strip_prefix("https://").or(text.strip_prefix("http://")).unwrap_or_default();
    let authority = after_scheme.split(['/', '?']).next().unwrap_or_default();
    !authority.is_empty()
        && !authority.contains('@')
        && !text.contains(['#', '\\'])
        && text.bytes().all(|byte| byte.is_ascii_graphic())
        && (text.starts_with("https://") || text.strip_prefix("http://").is_some_and(is_local))
}

#[test]
fn no_accepted_uri_breaks_the_rules() {
    let seed = uuid::Uuid::new_v4().as_u64_pair().0 | 1;
    let mut random = Xorshift(seed);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..100_000 {
        let text = mutated(&mut random);
        let Ok(uri) = RedirectUri::parse(&text) else {
            rejected += 1;
            continue;
        };
        accepted += 1;
        assert!(follows_the_rules(&text), "seed {seed}: {text:?}");
        let host = uri.url.host_str().unwrap();
        assert!(text.split("://").nth(1).unwrap().starts_with(host), "seed {seed}: {text:?} is read as {host}");
    }
    assert!(accepted > 5_000 && rejected > 5_000, "seed {seed}: {accepted} accepted, {rejected} rejected");
}
