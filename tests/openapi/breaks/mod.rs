//! The differences of two OpenAPI documents that break a program: what it sent is refused now, or what it read is gone.
//! Additions pass, because a program ignores fields and values that it does not know (`docs/compatibility.md`).

mod schemas;
#[cfg(test)]
mod tests;

use schemas::{Direction, Schemas};
use serde_json::{Map, Value};

/// What breaks, a sentence for each.
pub(super) fn breaks(former: &Value, present: &Value) -> Vec<String> {
    let mut comparison = Comparison { former, present, schemas: Schemas::new(former, present), found: Vec::new() };
    for (path, operations) in members(&former["paths"]) {
        for (method, operation) in members(operations) {
            let at = format!("{} {path}", method.to_uppercase());
            comparison.operation(&at, operation, &present["paths"][path][method]);
        }
    }
    for (event, operation) in members(&former["webhooks"]) {
        comparison.webhook(event, &operation["post"], &present["webhooks"][event]["post"]);
    }
    comparison.found.extend(comparison.schemas.found);
    comparison.found
}

struct Comparison<'a> {
    former: &'a Value,
    present: &'a Value,
    schemas: Schemas<'a>,
    found: Vec<String>,
}

impl<'a> Comparison<'a> {
    fn operation(&mut self, at: &str, former: &'a Value, present: &'a Value) {
        if present.is_null() {
            return self.found.push(format!("{at} is gone"));
        }
        self.parameters(at, former, present);
        let (body, now) = (self.of_former(&former["requestBody"]), self.of_present(&present["requestBody"]));
        if now["required"] == true && body["required"] != true {
            self.found.push(format!("{at} needs a body"));
        }
        self.content(&format!("the body of {at}"), body, now, Direction::Sent);
        for (status, answer) in members(&former["responses"]).filter(|(status, _)| status.starts_with('2')) {
            let answer_at = format!("the answer {status} of {at}");
            let (answer, now) = (self.of_former(answer), self.of_present(&present["responses"][status]));
            if now.is_null() {
                self.found.push(format!("{answer_at} is gone"));
                continue;
            }
            for (header, _) in members(&answer["headers"]) {
                if now["headers"][header].is_null() {
                    self.found.push(format!("{answer_at} has no header {header}"));
                }
            }
            self.content(&answer_at, answer, now, Direction::Read);
        }
    }

    /// What the service sends to an endpoint of webhooks is read there.
    fn webhook(&mut self, event: &str, former: &'a Value, present: &'a Value) {
        if present.is_null() {
            return self.found.push(format!("the event {event} is gone"));
        }
        self.content(&format!("the event {event}"), &former["requestBody"], &present["requestBody"], Direction::Read);
    }

    fn parameters(&mut self, at: &str, former: &'a Value, present: &'a Value) {
        let list = |operation: &'a Value, document: &'a Value| -> Vec<&'a Value> {
            items(&operation["parameters"]).map(|parameter| resolved(parameter, document)).collect()
        };
        let (before, now) = (list(former, self.former), list(present, self.present));
        let same = |one: &Value, other: &Value| one["name"] == other["name"] && one["in"] == other["in"];
        for parameter in &before {
            let parameter_at = format!("the parameter {} of {at}", text(&parameter["name"]));
            match now.iter().find(|other| same(parameter, other)) {
                None => self.found.push(format!("{parameter_at} is gone")),
                Some(other) => {
                    self.schemas.compare(&parameter_at, &parameter["schema"], &other["schema"], Direction::Sent)
                }
            }
        }
        for parameter in now.iter().filter(|parameter| parameter["required"] == true) {
            if !before.iter().any(|other| same(parameter, other) && other["required"] == true) {
                self.found.push(format!("{at} needs the parameter {}", text(&parameter["name"])));
            }
        }
    }

    fn content(&mut self, at: &str, former: &'a Value, present: &'a Value, direction: Direction) {
        for (media, content) in members(&former["content"]) {
            match &present["content"][media] {
                Value::Null => self.found.push(format!("{at} is no {media}")),
                now => self.schemas.compare(at, &content["schema"], &now["schema"], direction),
            }
        }
    }

    fn of_former(&self, value: &'a Value) -> &'a Value {
        resolved(value, self.former)
    }

    fn of_present(&self, value: &'a Value) -> &'a Value {
        resolved(value, self.present)
    }
}

/// The target of a reference; any other value is its own target.
fn resolved<'a>(value: &'a Value, document: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|path| document.pointer(path.trim_start_matches('#')));
    target.map_or(value, |target| resolved(target, document))
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
