//! `answers.md`: a row for each request, with what the response says.

use super::requests::WrongRequest;
use crate::world::TestResponse;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

const HEAD: &str = "# Answers to the wrong requests

What the service answers to each request of `requests.http`. Do not edit it by hand:

```sh
INSTA_UPDATE=always cargo test -p tests wrong_requests
```

*Teaches* is \"no\" where the answer lacks what the request says that it should contain.
";

const COLUMNS: &str = "
| request | status | code | reason | field: message | teaches |
|---|---|---|---|---|---|
";

/// What a row has.
struct Answer {
    code: String,
    reason: String,
    message: String,
}

/// The page with a table for each group.
pub(super) fn page(rows: &[(String, String)]) -> String {
    let mut page = HEAD.to_owned();
    let mut last = "";
    for (group, row) in rows {
        if group != last {
            write!(page, "\n## {group}\n{COLUMNS}").expect("a text grows");
            last = group;
        }
        page.push_str(row);
    }
    page
}

/// The row of a request.
pub(super) fn row(
    request: &WrongRequest,
    response: &TestResponse,
    variables: &BTreeMap<&'static str, String>,
) -> String {
    let answer = answer(response);
    let taught = teaches(request, response, &answer.message);
    let cells = [
        request.name.clone(),
        response.status.as_u16().to_string(),
        answer.code,
        answer.reason,
        masked(&answer.message, variables),
        taught,
    ];
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|").replace('\n', " ")).join(" | "))
}

/// "yes", or that a right request is refused, or the first demand that the answer does not meet.
fn teaches(request: &WrongRequest, response: &TestResponse, message: &str) -> String {
    if request.is_right && !response.status.is_success() {
        return "no: it is refused".to_owned();
    }
    let text = format!("{message} {}", if request.is_right { response.text.as_str() } else { "" });
    let is_met = |demand: &&Vec<String>| demand.iter().any(|part| text.contains(part.as_str()));
    match request.says.iter().find(|demand| !is_met(demand)) {
        Some(missing) => format!("no: {}", missing.join(" or ")),
        None => "yes".to_owned(),
    }
}

fn answer(response: &TestResponse) -> Answer {
    let Ok(body) = serde_json::from_str::<Value>(&response.text) else {
        return Answer { code: String::new(), reason: String::new(), message: text_of_page(&response.text) };
    };
    let error = if body["error"].is_object() { &body["error"] } else { &body };
    let text = |name: &str| error[name].as_str().map(str::to_owned);
    let code = text("code").or_else(|| error["code"].as_i64().map(|code| code.to_string()));
    Answer {
        code: code.unwrap_or_default(),
        reason: text("reason").unwrap_or_default(),
        message: message(&body, error),
    }
}

/// Everything that a response says to a person.
fn message(body: &Value, error: &Value) -> String {
    if let Some(verdict) = [&body["verdict"], &body["data"]["verdict"]].into_iter().find_map(Value::as_str) {
        let error = if body["data"].is_object() { &body["data"]["error"] } else { &body["error"] };
        return format!("{verdict} {}", message(error, error));
    }
    let of = |fault: &Value| format!("{}: {}", text(&fault["field"]), text(&fault["message"]));
    let mut parts: Vec<String> = list(&body["details"]).iter().map(of).collect();
    if parts.is_empty() {
        parts.extend([text(&error["message"]), text(&body["error"])]);
    }
    let results = [list(&body["data"]), list(&error["results"])].concat();
    for result in results.iter().filter(|result| result["target"].is_object()) {
        let error = &result["error"];
        let (platform, status) = (text(&result["target"]["platform"]), text(&result["status"]));
        parts.push(format!("{platform} {status}: {} {}", text(&error["code"]), text(&error["message"])));
    }
    parts.extend(list(&body["errors"]).iter().map(|error| text(&error["message"])));
    parts.extend(list(&body["connections"]).iter().map(|connection| text(&connection["status_reason"])));
    parts.extend(list(&body["result"]["content"]).iter().map(|content| text(&content["text"])));
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The text of an HTML page.
fn text_of_page(page: &str) -> String {
    let body = page.split_once("<main").map_or(page, |(_, main)| main);
    let texts = body.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text.trim());
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The text without what differs from run to run: the values of the variables, and ids.
fn masked(text: &str, variables: &BTreeMap<&'static str, String>) -> String {
    let mut variables: Vec<_> = variables.iter().collect();
    variables.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
    let masked = variables
        .iter()
        .fold(text.to_owned(), |text, (name, value)| text.replace(value.as_str(), &format!("{{{{{name}}}}}")));
    let words: Vec<&str> = masked.split(' ').collect();
    let next = |at: usize| words.get(at + 1).copied().unwrap_or_default();
    words.iter().enumerate().map(|(at, word)| masked_word(word, next(at))).collect::<Vec<_>>().join(" ")
}

/// The word, or its kind if the word differs from run to run.
fn masked_word(word: &str, next: &str) -> String {
    let bare = word.trim_matches(|character: char| !character.is_alphanumeric());
    let is_id = bare.parse::<uuid::Uuid>().is_ok() || bare.len() > 32 && bare.starts_with("conn_");
    let is_duration = next.starts_with("second") && bare.parse::<u32>().is_ok();
    let mask = match (is_id, is_duration, bare.parse::<jiff::Timestamp>()) {
        (true, ..) => "[id]",
        (_, true, _) => "[some]",
        (.., Ok(_)) => "[time]",
        _ => return word.to_owned(),
    };
    word.replace(bare, mask)
}
