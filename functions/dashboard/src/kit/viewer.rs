//! A page for a person who only looks: without what changes something, and without the ways to it (D176). Many templates
//! have such forms, so they are taken out of the page that is done. A form of a new page is taken out, too.

/// Elements without an end.
const VOID: [&str; 7] = ["br", "col", "hr", "img", "input", "link", "wbr"];
/// Elements of which each is a thing of its own, so that a form in one says nothing of what is around it.
const ITEMS: [&str; 3] = ["li", "section", "tr"];
/// Parts of the addresses of pages that are forms, or lead to one.
const WAYS: [&str; 6] = ["s/new", "/pause-all", "/limit?", "s/remove", "?again", "?edit="];
/// Attributes of controls of a form elsewhere on the page, and of a sheet.
const CONTROLS: [&str; 3] = [" form=\"", " popovertarget=\"", " data-all=\""];

/// An element that has begun.
struct Element<'a> {
    name: &'a str,
    /// Where it begins in the page that is kept.
    begin: usize,
    is_left_out: bool,
}

/// The page without its forms. A form of the person's own, such as that which signs out, stays.
pub(crate) fn without_forms(page: &str) -> String {
    let Some((before, main)) = page.find("<main").map(|at| page.split_at(at)) else { return page.to_owned() };
    let (mut kept, mut open, mut rest) = (before.to_owned(), Vec::new(), main);
    while let Some((text, at_tag)) = rest.find('<').map(|at| rest.split_at(at)) {
        let Some((tag, after)) = at_tag.find('>').map(|end| at_tag.split_at(end + 1)) else { break };
        kept.push_str(text);
        rest = after;
        match tag.strip_prefix("</") {
            Some(name) => end(&mut kept, &mut open, name.trim_end_matches('>')),
            None => begin(&mut kept, &mut open, tag),
        }
    }
    kept.push_str(rest);
    kept
}

fn begin<'a>(kept: &mut String, open: &mut Vec<Element<'a>>, tag: &'a str) {
    let name = tag.trim_start_matches('<').split([' ', '\n', '/', '>']).next().unwrap_or_default();
    let (begin, is_left_out) = (kept.len(), is_left_out(name, tag));
    let has_end = !VOID.contains(&name) && !tag.ends_with("/>");
    if has_end || !is_left_out {
        kept.push_str(tag);
    }
    if has_end {
        open.push(Element { name, begin, is_left_out });
    }
}

fn end(kept: &mut String, open: &mut Vec<Element<'_>>, name: &str) {
    let Some(at) = open.iter().rposition(|element| element.name == name) else { return kept.push_str(&end_tag(name)) };
    let ended = open.split_off(at);
    // What has no end of its own ends with what is around it.
    match ended.iter().find(|element| element.is_left_out) {
        Some(left_out) => kept.truncate(left_out.begin),
        None => return kept.push_str(&end_tag(name)),
    }
    match ended.first() {
        Some(first) if first.is_left_out => {
            if name == "form" {
                leave_out_fold(open);
            }
        }
        _ => kept.push_str(&end_tag(name)),
    }
}

/// What unfolds to a form alone is left out with it. A fold with rows, of which some have forms, stays.
fn leave_out_fold(open: &mut [Element<'_>]) {
    let around = open.iter_mut().rev().take_while(|element| !ITEMS.contains(&element.name));
    around.filter(|element| element.name == "details").for_each(|fold| fold.is_left_out = true);
}

fn end_tag(name: &str) -> String {
    format!("</{name}>")
}

/// Whether an element with this tag changes something, or leads to what does.
fn is_left_out(name: &str, tag: &str) -> bool {
    let has_class = |class: &str| attribute(tag, "class").is_some_and(|all| all.split(' ').any(|one| one == class));
    let is_form = name == "form" && !has_class("own") && {
        let posts = attribute(tag, "method") == Some("post");
        posts || attribute(tag, "action").is_some_and(|action| action.ends_with("/many"))
    };
    let is_way = attribute(tag, "href").is_some_and(|path| WAYS.iter().any(|way| path.contains(way)));
    is_form || is_way || has_class("changes") || CONTROLS.iter().any(|control| tag.contains(control))
}

/// The value of an attribute, as it is written.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main_of(inner: &str) -> String {
        let page =
            without_forms(&format!("<form method=\"post\">Sign out</form><main id=\"main\">{inner}</main></body>"));
        let inner =
            page.strip_prefix("<form method=\"post\">Sign out</form><main id=\"main\">").expect("the header stays");
        inner.strip_suffix("</main></body>").expect("the end stays").to_owned()
    }

    #[test]
    fn a_viewer_gets_no_form_that_changes_something() {
        for (page, kept) in [
            ("<p>A<br>b</p>", "<p>A<br>b</p>"),
            ("<td>A<form method=\"post\"><input name=\"a\"><button>B</button></form></td>", "<td>A</td>"),
            ("<form method=\"get\"><button>Show</button></form>", "<form method=\"get\"><button>Show</button></form>"),
            ("<form id=\"bulk\" method=\"get\" action=\"/campaigns/many\"><button>B</button></form>", ""),
            (
                "<form method=\"post\" class=\"own\"><button>Leave</button></form>",
                "<form method=\"post\" class=\"own\"><button>Leave</button></form>",
            ),
            ("<section class=\"changes\"><h2>Change</h2><p>A</p></section><p>B</p>", "<p>B</p>"),
            ("<input type=\"checkbox\" form=\"bulk\"><b>A</b>", "<b>A</b>"),
            ("<button type=\"button\" popovertarget=\"sheet\">Delete</button>", ""),
            (
                "<a class=\"button\" href=\"/dashboard/campaigns/new?like=a\">Duplicate</a> <a href=\"/a\">B</a>",
                " <a href=\"/a\">B</a>",
            ),
        ] {
            assert_eq!(main_of(page), kept);
        }
    }

    #[test]
    fn a_fold_around_a_form_goes_and_one_around_rows_stays() {
        let form = "<form method=\"post\"><p>Sure?</p><button>Cancel</button></form>";
        assert_eq!(main_of(&format!("<td>A<details><summary>Cancel</summary>{form}</details></td>")), "<td>A</td>");
        let rows = |form: &str| format!("<details><summary>5 accounts</summary><ul><li>A{form}</li></ul></details>");
        assert_eq!(main_of(&rows(form)), rows(""));
        let unclosed = format!("<ul><li>A<li class=\"changes\">B{form}</ul>C");
        assert_eq!(main_of(&unclosed), "<ul><li>A</ul>C");
    }

    #[test]
    fn a_page_without_a_main_part_stays() {
        for page in ["", "<p>a", "a < b"] {
            assert_eq!(without_forms(page), page);
        }
        assert_eq!(
            main_of("a &lt; b </i> <svg><path d=\"M0 0\"/></svg>"),
            "a &lt; b </i> <svg><path d=\"M0 0\"/></svg>"
        );
    }
}
