//! The document as a page: no script, nothing foreign, and nothing that the document does not say.

mod schema;

use super::super::page::escaped;
use super::tree::Tree;
use schema::{codes, kind, properties};
use std::collections::{BTreeMap, BTreeSet};

const STYLE: &str = "body{font:1rem/1.55 system-ui,sans-serif;max-width:62rem;margin:2rem auto 6rem;padding:0 1.5rem;\
color:#1c2430}h1{margin-bottom:0}h2{margin-top:3rem;border-bottom:2px solid #dde1e7}article{margin:1.5rem 0;\
padding:.2rem 1.2rem 1rem;border:1px solid #dde1e7;border-radius:10px}table{border-collapse:collapse;width:100%;\
margin:.5rem 0}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #eceff3}\
th{font-size:.85rem;color:#5b6675}code,pre{font-family:ui-monospace,monospace;font-size:.9em;background:#f4f6f8;\
border-radius:4px}code{padding:.05rem .25rem}pre{padding:.8rem 1rem;overflow-x:auto}pre code{padding:0}\
h3 b{display:inline-block;min-width:4.5rem}h4{margin:1rem 0 .2rem}summary{cursor:pointer;color:#24519a}a{color:#24519a}\
nav ul{padding-left:1.2rem}td p{margin:0}";

/// The page of a document.
pub(super) fn page(document: &Tree) -> String {
    let info = document.get("info").unwrap_or(document);
    let title = escaped(&format!("{} {}", info.text_at("title"), info.text_at("version")));
    let tags = document.get("tags").map(Tree::items).unwrap_or_default();
    let groups: String = tags.iter().map(|tag| group(document, tag)).collect();
    let contents: String = tags.iter().map(|tag| contents(document, tag)).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n{}{}\
         <nav>{contents}<p><a href=\"#errors\">Errors</a>, <a href=\"#schemas\">Schemas</a></p></nav>\n{groups}{}{}\
         </body>\n</html>\n",
        inline(info.text_at("summary")),
        prose(info.text_at("description")),
        servers(document),
        errors(document),
        schemas(document),
    )
}

/// One operation of the document.
struct Operation<'a> {
    method: String,
    path: &'a str,
    is: &'a Tree,
}

/// All operations, in the document's order.
fn operations(document: &Tree) -> impl Iterator<Item = Operation<'_>> {
    let paths = document.get("paths").map(Tree::members).unwrap_or_default();
    paths.iter().flat_map(|(path, item)| {
        item.members().iter().map(move |(method, is)| Operation { method: method.to_uppercase(), path, is })
    })
}

fn of_group<'a>(document: &'a Tree, name: &str) -> impl Iterator<Item = Operation<'a>> {
    operations(document).filter(move |operation| {
        let tags = operation.is.get("tags").map(Tree::items).unwrap_or_default();
        tags.iter().any(|tag| tag.text() == Some(name))
    })
}

fn contents(document: &Tree, tag: &Tree) -> String {
    let line = |Operation { method, path, is }: Operation<'_>| {
        let (id, what) = (escaped(is.text_at("operationId")), inline(is.text_at("summary")));
        format!("<li><a href=\"#{id}\"><code>{method} {}</code></a> {what}</li>\n", escaped(path))
    };
    let lines: String = of_group(document, tag.text_at("name")).map(line).collect();
    format!("<h4>{}</h4>\n<ul>{lines}</ul>\n", escaped(tag.text_at("name")))
}

fn servers(document: &Tree) -> String {
    let server = |server: &Tree| {
        format!("<li><code>{}</code> {}</li>\n", escaped(server.text_at("url")), inline(server.text_at("description")))
    };
    let servers: String = document.get("servers").map(Tree::items).unwrap_or_default().iter().map(server).collect();
    format!(
        "<p>Paths below are behind one of these, and the whole as JSON at <code>/openapi.json</code>:</p>\n<ul>{servers}</ul>\n"
    )
}

fn group(document: &Tree, tag: &Tree) -> String {
    let operations: String =
        of_group(document, tag.text_at("name")).map(|operation| article(document, &operation)).collect();
    let (name, description) = (escaped(tag.text_at("name")), prose(tag.text_at("description")));
    format!("<section>\n<h2>{name}</h2>\n{description}{operations}</section>\n")
}

fn article(document: &Tree, Operation { method, path, is }: &Operation<'_>) -> String {
    let is_public = is.get("security").is_some_and(|needed| needed.items().is_empty());
    let key = if is_public { "<p>Needs no API key.</p>\n" } else { "" };
    format!(
        "<article id=\"{}\">\n<h3><b>{method}</b> <code>{}</code></h3>\n<p>{}</p>\n{}{key}{}{}{}</article>\n",
        escaped(is.text_at("operationId")),
        escaped(path),
        inline(is.text_at("summary")),
        prose(is.text_at("description")),
        parameters(document, is),
        request(is),
        responses(document, is),
    )
}

fn parameters(document: &Tree, operation: &Tree) -> String {
    let row = |parameter: &Tree| {
        let parameter = parameter.resolved(document);
        let is_required = parameter.get("required").is_some();
        let schema = parameter.get("schema").unwrap_or(parameter);
        format!(
            "<tr><td><code>{}</code>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escaped(parameter.text_at("name")),
            if is_required { ", required" } else { "" },
            escaped(parameter.text_at("in")),
            kind(schema),
            inline(parameter.text_at("description")),
        )
    };
    let rows: String = operation.get("parameters").map(Tree::items).unwrap_or_default().iter().map(row).collect();
    if rows.is_empty() { rows } else { format!("<h4>Parameters</h4>\n<table>\n{rows}</table>\n") }
}

fn request(operation: &Tree) -> String {
    let Some(media) = operation.at(&["requestBody", "content", "application/json"]) else { return String::new() };
    let schema = media.get("schema").map(kind).unwrap_or_default();
    format!("<h4>Body</h4>\n<p>{schema}</p>\n{}", examples(media))
}

/// The answers: good ones with their examples, and the statuses of errors, which are explained once for all.
fn responses(document: &Tree, operation: &Tree) -> String {
    let answers = operation.get("responses").map(Tree::members).unwrap_or_default();
    let (common, own): (Vec<_>, Vec<_>) = answers.iter().partition(|(_, answer)| answer.get("$ref").is_some());
    let own: String = own.iter().map(|(status, answer)| own_response(document, status, answer)).collect();
    let link = |(status, _): &&(String, Tree)| format!("<a href=\"#error-{status}\">{status}</a>");
    let common: Vec<String> = common.iter().map(link).collect();
    format!("<h4>Answers</h4>\n{own}<p>Errors: {}</p>\n", common.join(", "))
}

fn own_response(document: &Tree, status: &str, answer: &Tree) -> String {
    let media = answer.get("content").map(Tree::members).unwrap_or_default();
    let shown = |(name, media): &(String, Tree)| {
        let schema = media.get("schema").map(kind).unwrap_or_default();
        format!("<p><code>{}</code>: {schema}</p>\n{}", escaped(name), examples(media))
    };
    let bodies: String = media.iter().map(shown).collect();
    let headers = answer.get("headers").map(Tree::members).unwrap_or_default();
    let header = |(name, header): &(String, Tree)| {
        let description = inline(header.resolved(document).text_at("description"));
        format!("<tr><td><code>{}</code></td><td>{description}</td></tr>\n", escaped(name))
    };
    let headers: String = headers.iter().map(header).collect();
    let what = inline(answer.text_at("description"));
    format!(
        "<p><strong>{status}</strong> {what}</p>\n{bodies}<details><summary>Headers</summary>\n\
         <table>\n{headers}</table>\n</details>\n"
    )
}

fn examples(media: &Tree) -> String {
    let show = |title: &str, value: &Tree| {
        let text = serde_json::to_string_pretty(value).unwrap_or_default();
        format!(
            "<details><summary>{}</summary>\n<pre><code>{}</code></pre>\n</details>\n",
            inline(title),
            escaped(&text)
        )
    };
    let named = |(name, example): &(String, Tree)| {
        let title = if example.text_at("summary").is_empty() { name.as_str() } else { example.text_at("summary") };
        show(&format!("Example: {title}"), example.get("value").unwrap_or(example))
    };
    let several: String = media.get("examples").map(Tree::members).unwrap_or_default().iter().map(named).collect();
    several + &media.get("example").map(|example| show("Example", example)).unwrap_or_default()
}

/// Every status of an error once: its codes, and what it means.
fn errors(document: &Tree) -> String {
    let mut known: BTreeMap<&str, (BTreeSet<String>, BTreeSet<&str>)> = BTreeMap::new();
    for operation in operations(document) {
        for (status, answer) in operation.is.get("responses").map(Tree::members).unwrap_or_default() {
            if answer.get("$ref").is_some() {
                let answer = answer.resolved(document);
                let (all, meanings) = known.entry(status).or_default();
                all.extend(codes(answer));
                meanings.insert(answer.text_at("description"));
            }
        }
    }
    let row = |(status, (codes, meanings)): (&str, (BTreeSet<String>, BTreeSet<&str>))| {
        let codes: String = codes.iter().map(|code| format!("<code>{}</code> ", escaped(code))).collect();
        let meanings: String = meanings.into_iter().map(prose).collect();
        format!("<tr id=\"error-{status}\"><td>{status}</td><td>{codes}</td><td>{meanings}</td></tr>\n")
    };
    let rows: String = known.into_iter().map(row).collect();
    format!(
        "<h2 id=\"errors\">Errors</h2>\n<table>\n<tr><th>Status</th><th>Code</th><th>Meaning</th></tr>\n{rows}</table>\n"
    )
}

fn schemas(document: &Tree) -> String {
    let one = |(name, schema): &(String, Tree)| {
        let (name, description) = (escaped(name), inline(schema.text_at("description")));
        let rows = properties(schema);
        let body =
            if rows.is_empty() { format!("<p>{}</p>\n", kind(schema)) } else { format!("<table>\n{rows}</table>\n") };
        format!("<article id=\"schema-{name}\">\n<h3>{name}</h3>\n<p>{description}</p>\n{body}</article>\n")
    };
    let all = document.at(&["components", "schemas"]).map(Tree::members).unwrap_or_default();
    let all: String = all.iter().map(one).collect();
    format!("<h2 id=\"schemas\">Schemas</h2>\n{all}")
}

/// Paragraphs.
fn prose(text: &str) -> String {
    let paragraphs = text.split("\n\n").filter(|paragraph| !paragraph.is_empty());
    paragraphs.map(|paragraph| format!("<p>{}</p>\n", inline(paragraph))).collect()
}

/// The two marks that the document's words use: `code` and **strong**.
fn inline(text: &str) -> String {
    let marked = |text: &str, mark: &str, tag: &str| -> String {
        let parts = text.split(mark).enumerate();
        parts
            .map(|(place, part)| if place % 2 == 1 { format!("<{tag}>{part}</{tag}>") } else { part.to_owned() })
            .collect()
    };
    marked(&marked(&escaped(text), "**", "strong"), "`", "code")
}
