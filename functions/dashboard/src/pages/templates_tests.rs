//! What holds for every template. A link that stands alone in its line is as high as a thumb on a phone: the stylesheet has
//! a rule for what it stands in. What a screen reader names has a name.

use crate::kit::assets::style;
use std::fs;
use std::path::Path;

/// The rules that make links high, as they are sent.
const RULES: [&str; 5] = [
    ":where(p:not(.crumb,.pager,.age,.more)>a:only-child:not(.button)){padding-block:",
    ".notice li>a{display:inline-block;padding-block:",
    ":is(td,th,td bdi,th bdi,dd,dd bdi,form.filters)>a:not(.button),:is(.tile,.more) a{display:inline-flex;",
    ".periods a,.tabs a,.crumb a,",
    ".list tbody th a,.list .amount,",
];
/// Lists whose links have one of these rules, and what may stand around a list without a class.
const LISTS: [&str; 5] = ["chips", "links", "periods", "tabs", "rows"];
const AROUND: [&str; 3] = ["<nav ", "class=\"notice", "class=\"sums\""];

/// The templates, each with its name.
fn templates(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: std::path::PathBuf| match path.extension().and_then(|end| end.to_str()) {
        _ if path.is_dir() => templates(&path),
        Some("html") => vec![(path.display().to_string(), fs::read_to_string(&path).unwrap())],
        _ => Vec::new(),
    };
    entries.flat_map(of).collect()
}

/// A template without its own tags.
fn markup(template: &str) -> String {
    let mut parts = template.split("{%");
    let first = parts.next().unwrap_or_default();
    parts.fold(first.to_owned(), |text, part| text + part.split_once("%}").map_or(part, |(_, rest)| rest))
}

/// The elements in which a link of a template stands alone: the tag, and all before it.
fn around_links(markup: &str) -> Vec<(&str, &str)> {
    let starts = markup.match_indices("<a ").map(|(at, _)| at);
    let alone = |at: usize| {
        let (before, link) = (markup[..at].trim_end(), &markup[at..]);
        let (head, rest) = link.split_once("</a>")?;
        let tag = before.strip_suffix('>')?.rsplit_once('<')?.1;
        let name = tag.split(' ').next()?;
        let is_button = head.split_once('>').is_some_and(|(attributes, _)| attributes.contains("class=\"button"));
        (!is_button && rest.trim_start().starts_with(&format!("</{name}>"))).then_some((tag, before))
    };
    starts.filter_map(alone).collect()
}

/// Whether a rule of the stylesheet makes a link in this element high.
fn is_high(tag: &str, before: &str) -> bool {
    match tag.split(' ').next().unwrap_or_default() {
        "p" | "td" | "th" | "dd" => true,
        // Figures of tiles, and names in rows.
        "span" => before.rsplit("<li ").next().is_some_and(|item| item.starts_with("class=\"tile")),
        "strong" => tag.contains("figure") || before.contains("class=\"rows\""),
        "li" => {
            let list = before.rsplit("<ul").next().unwrap_or_default().split('>').next().unwrap_or_default();
            match list.split_once("class=\"") {
                Some((_, class)) => LISTS.iter().any(|known| class.starts_with(known)),
                None => AROUND.iter().any(|known| before.contains(known)),
            }
        }
        _ => false,
    }
}

fn all_markup() -> Vec<(String, String)> {
    let all = templates(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    all.into_iter().map(|(name, template)| (name, markup(&template))).collect()
}

/// The tags of an element, each with all before it.
fn tags<'a>(markup: &'a str, element: &str) -> Vec<(&'a str, &'a str)> {
    let start = format!("<{element}");
    let at = markup.match_indices(&start).map(|(at, _)| at);
    let tag = |at: usize| Some((markup[at..].split_once('>')?.0, &markup[..at]));
    at.filter_map(tag).filter(|(tag, _)| [None, Some(' ')].contains(&tag[start.len()..].chars().next())).collect()
}

/// The value of an attribute.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

/// Whether a control has a label: its own, one around it, or one that is only read out.
fn is_labelled(markup: &str, tag: &str, before: &str) -> bool {
    let has_own = attribute(tag, "id").is_some_and(|id| markup.contains(&format!("for=\"{id}\"")));
    has_own || before.rfind("<label") > before.rfind("</label>") || attribute(tag, "aria-label").is_some()
}

/// Whether a table has a name: that of a heading, its own, a caption, or the name of the region in which it is scrolled.
fn is_named_table(markup: &str, tag: &str, before: &str) -> bool {
    let by_heading = attribute(tag, "aria-labelledby").is_some_and(|id| markup.contains(&format!(" id=\"{id}\"")));
    let region = before.rsplit('<').next().unwrap_or_default();
    let is_in_region = region.ends_with('>') && attribute(region, "aria-label").is_some();
    let has_caption = markup[before.len() + tag.len()..].starts_with("><caption");
    by_heading || attribute(tag, "aria-label").is_some() || is_in_region || has_caption
}

#[test]
fn a_link_alone_in_its_line_is_as_high_as_a_thumb() {
    let style = style();
    for rule in RULES {
        assert!(style.contains(rule), "the stylesheet has no {rule}");
    }
    let mut found = 0;
    for (name, markup) in all_markup() {
        for (tag, before) in around_links(&markup) {
            assert!(is_high(tag, before), "{name}: a link alone in <{tag}>");
            found += 1;
        }
    }
    assert!(found > 40, "{found} links");
}

#[test]
fn a_link_in_another_element_is_found() {
    let low = |text: &str| around_links(text).iter().any(|(tag, before)| !is_high(tag, before));
    assert!(
        low("<div class=\"x\"><a href=\"/\">Home</a></div>")
            && low("<ul class=\"free\"><li><a href=\"/\">A</a></li></ul>")
    );
    assert!(!low("<p><a href=\"/\">Home</a></p>") && !low("<p>Look at <a href=\"/\">Home</a> first.</p>"));
    assert!(!low("<div><a class=\"button quiet\" href=\"/\">Home</a></div>"));
}

#[test]
fn what_a_screen_reader_names_has_a_name() {
    let (mut controls, mut headers, mut tables) = (0, 0, 0);
    for (name, markup) in all_markup() {
        for (tag, before) in ["input", "select", "textarea"].iter().flat_map(|element| tags(&markup, element)) {
            let is_hidden = attribute(tag, "type") == Some("hidden");
            assert!(is_hidden || is_labelled(&markup, tag, before), "{name}: {tag} has no label");
            controls += 1;
        }
        for (tag, _) in tags(&markup, "th") {
            assert!(attribute(tag, "scope").is_some(), "{name}: {tag} has no scope");
            headers += 1;
        }
        for (tag, before) in tags(&markup, "table") {
            assert!(is_named_table(&markup, tag, before), "{name}: {tag} has no name");
            tables += 1;
        }
        for id in tags(&markup, "section").iter().filter_map(|(tag, _)| attribute(tag, "aria-labelledby")) {
            assert!(markup.contains(&format!(" id=\"{id}\"")), "{name}: no heading is {id}");
        }
    }
    assert!(controls > 50 && headers > 50 && tables > 20, "{controls} controls, {headers} headers, {tables} tables");
}

#[test]
fn what_narrows_a_page_is_no_filled_button() {
    let mut found = 0;
    for (name, markup) in all_markup() {
        for (_, before) in tags(&markup, "form").iter().chain(&tags(&markup, "details")) {
            let form = markup[before.len()..].split("</form>").next().unwrap_or_default();
            if form.split('>').next().is_some_and(|tag| tag.contains("class=\"filters\"")) {
                let is_quiet = |(tag, _): &(&str, &str)| attribute(tag, "class") == Some("quiet");
                assert!(tags(form, "button").iter().all(is_quiet), "{name}: the page itself has what counts more");
                found += 1;
            }
        }
    }
    assert!(found > 5, "{found} filters");
}

#[test]
fn what_has_no_name_is_found() {
    let is_named = |markup: &str| tags(markup, "input").iter().all(|(tag, before)| is_labelled(markup, tag, before));
    assert!(is_named("<label for=\"a\">A</label><input id=\"a\">") && is_named("<label><input name=\"a\"> A</label>"));
    assert!(!is_named("<label for=\"a\">A</label><input id=\"b\">"));
    let named = |markup: &str| tags(markup, "table").iter().all(|(tag, before)| is_named_table(markup, tag, before));
    assert!(named("<h2 id=\"a\">A</h2><table aria-labelledby=\"a\">") && named("<table><caption>A</caption>"));
    assert!(named("<div role=\"region\" aria-label=\"A\"><table>") && !named("<div><table class=\"a\">"));
    assert!(!named("<table aria-labelledby=\"b\">"), "nothing has this id");
    assert!(tags("<thead><tr><th>A</th></tr></thead>", "th").len() == 1, "a head is no header");
}
