//! The path that a caller may have meant.

use super::ROUTES;

/// Longest path that is compared.
const MAX_LENGTH: usize = 200;
/// Most characters that a typing error adds, leaves out or replaces.
const MAX_DISTANCE: usize = 3;

/// The template of the endpoint whose path is most like this one. `None` if none is much like it.
pub fn nearest(path: &str) -> Option<&'static str> {
    if path.len() > MAX_LENGTH {
        return None;
    }
    let segments = segments(path);
    let templates = ROUTES.iter().map(|route| route.path);
    let near = templates.filter_map(|template| Some((distance(template, &segments)?, template)));
    near.filter(|(distance, _)| *distance <= MAX_DISTANCE).min_by_key(|(distance, _)| *distance).map(|(_, path)| path)
}

/// The segments, without empty ones, behind the version that every path has.
fn segments(path: &str) -> Vec<&str> {
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    match segments.first() {
        Some(first) if first.eq_ignore_ascii_case("v1") => segments[1..].to_vec(),
        _ => segments,
    }
}

/// The characters in which a path differs from a template with as many segments, unless it differs in half of them. A
/// parameter takes every segment.
fn distance(template: &str, segments: &[&str]) -> Option<usize> {
    let known = self::segments(template);
    if known.is_empty() || known.len() != segments.len() {
        return None;
    }
    let of_segment = |(known, given): (&&str, &&str)| if known.starts_with('{') { 0 } else { edits(known, given) };
    let distance = known.iter().zip(segments).map(of_segment).sum();
    let named: usize = known.iter().filter(|segment| !segment.starts_with('{')).map(|segment| segment.len()).sum();
    (2 * distance < named).then_some(distance)
}

/// The Levenshtein distance, with a line of the matrix at a time.
fn edits(from: &str, to: &str) -> usize {
    let mut line: Vec<usize> = (0..=to.chars().count()).collect();
    for (row, left) in from.chars().enumerate() {
        let mut above_left = std::mem::replace(&mut line[0], row + 1);
        for (column, right) in to.chars().enumerate() {
            let replaced = above_left + usize::from(left != right);
            above_left = line[column + 1];
            line[column + 1] = replaced.min(above_left + 1).min(line[column] + 1);
        }
    }
    line[line.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_leads_to_the_path_that_was_meant() {
        for (path, meant) in [
            ("/v1/campaigns/", Some("/v1/campaigns")),
            ("/v1/campaign", Some("/v1/campaigns")),
            ("/v1//campaigns", Some("/v1/campaigns")),
            ("/campaigns", Some("/v1/campaigns")),
            ("/v1/Campaigns", Some("/v1/campaigns")),
            ("/v1/campaign/alpha_1_2", Some("/v1/campaigns/{id}")),
            ("/v1/connections/alpha_ads/authorise", Some("/v1/connections/{platform}/authorize")),
            ("/v1/api_keys", Some("/v1/api-keys")),
            ("/v1/nothing/like/it", None),
            ("/", None),
            ("", None),
            ("/é", None),
        ] {
            assert_eq!(nearest(path), meant, "{path}");
        }
        assert_eq!(nearest(&"/campaigns".repeat(21)), None, "too long to compare");
    }

    #[test]
    fn the_distance_counts_the_edits() {
        for (from, to, expected) in
            [("", "", 0), ("abc", "", 3), ("", "ab", 2), ("kitten", "sitting", 3), ("é", "e", 1)]
        {
            assert_eq!(edits(from, to), expected, "{from} {to}");
        }
    }
}
