//! The sample of an operation in curl, Python and TypeScript, with the values of the document's examples. It runs as it
//! is: the key and the ids are environment variables, and what can be a dry run is one. What takes an `Idempotency-Key`
//! has one, but for dry runs, which refuse it.

use super::super::ordered_json::OrderedJson;
use super::operation::Operation;
use super::schema::literal;

/// The environment variable that holds the API key in the samples.
const KEY: &str = "UNIFIED_ADS_KEY";
/// The one that holds the `Idempotency-Key`: a command that is run again has the same.
const IDEMPOTENCY_KEY: &str = "IDEMPOTENCY_KEY";

/// A request with the parameters that the operation requires.
pub(super) struct Sample<'a> {
    method: &'a str,
    /// The URL, with `{NAME}` for an environment variable.
    url: String,
    /// The environment variables in the URL.
    ids: Vec<String>,
    has_key: bool,
    pub(super) is_dry_run: bool,
    /// Whether it sends an `Idempotency-Key`.
    is_keyed: bool,
    body: Option<&'a OrderedJson>,
}

/// The sample of the first request that a new customer sends.
pub(super) fn connections(base_url: &str) -> String {
    let url = format!("{base_url}/connections");
    let ids = Vec::new();
    Sample { method: "GET", url, ids, has_key: true, is_dry_run: false, is_keyed: false, body: None }.curl()
}

impl<'a> Sample<'a> {
    pub(super) fn new(operation: &'a Operation<'a>, document: &'a OrderedJson, base_url: &str) -> Self {
        let mut path = operation.path.to_owned();
        let mut ids = Vec::new();
        for parameter in operation.json.child("parameters").items() {
            let described = parameter.resolved(document);
            if described.text_at("in") != "path" {
                continue;
            }
            let allowed = described.child("schema").resolved(document).child("enum").items();
            let value = allowed.first().map_or_else(
                || {
                    ids.push(variable(parameter));
                    format!("{{{}}}", variable(parameter))
                },
                literal,
            );
            path = path.replace(&format!("{{{}}}", described.text_at("name")), &value);
        }
        let takes = |name| operation.parameters(document).iter().any(|parameter| parameter.text_at("name") == name);
        let is_dry_run = takes("dry_run");
        let query = if is_dry_run { "?dry_run=true" } else { "" };
        Sample {
            method: &operation.method,
            url: format!("{base_url}{path}{query}"),
            ids,
            has_key: !operation.is_public(),
            is_dry_run,
            is_keyed: takes("Idempotency-Key") && !is_dry_run,
            body: operation.example_body(),
        }
    }

    /// The environment variables to set before.
    pub(super) fn variables(&self) -> Vec<&str> {
        let headers = self.headers().map(|(_, variable)| variable);
        headers.chain(self.ids.iter().map(String::as_str)).collect()
    }

    /// The headers with values from the environment.
    fn headers(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let key = self.has_key.then_some(("X-API-Key", KEY));
        key.into_iter().chain(self.is_keyed.then_some(("Idempotency-Key", IDEMPOTENCY_KEY)))
    }

    /// The request in each language, with the name of the language.
    pub(super) fn in_languages(&self) -> [(&'static str, String); 3] {
        [("curl", self.curl()), ("Python", self.python()), ("TypeScript", self.typescript())]
    }

    fn curl(&self) -> String {
        let headers = self.headers().map(|(name, variable)| format!("-H \"{name}: ${variable}\""));
        let body = self.body.map(|body| {
            let json = indented(&code(body, JSON_WORDS, 2), 2).replace('\'', "'\\''");
            format!("-H 'Content-Type: application/json' \\\n  -d '{json}'")
        });
        // The shell replaces variables between double quotes only.
        let quote = if self.ids.is_empty() { '\'' } else { '"' };
        let first = format!("curl -X {} {quote}{}{quote}", self.method, self.url_with(|id| format!("${id}")));
        std::iter::once(first).chain(headers).chain(body).collect::<Vec<_>>().join(" \\\n  ")
    }

    fn python(&self) -> String {
        let headers = self.headers().map(|(name, variable)| format!("\"{name}\": os.environ[\"{variable}\"]"));
        let headers = headers.collect::<Vec<_>>().join(", ");
        let imports = if self.has_key { "import os\n\nimport requests" } else { "import requests" };
        let prefix = if self.ids.is_empty() { "" } else { "f" };
        let url = self.url_with(|id| format!("{{os.environ['{id}']}}"));
        let mut arguments = vec![format!("{prefix}\"{url}\"")];
        arguments.extend((!headers.is_empty()).then(|| format!("headers={{{headers}}}")));
        arguments.extend(self.body.map(|body| format!("json={}", indented(&code(body, PYTHON_WORDS, 4), 4))));
        arguments.push("timeout=60".to_owned());
        let method = self.method.to_lowercase();
        let arguments = arguments.join(",\n    ");
        format!(
            "{imports}\n\nresponse = requests.{method}(\n    {arguments},\n)\nprint(response.status_code, response.text)"
        )
    }

    fn typescript(&self) -> String {
        let from_environment = self.headers().map(|(name, variable)| format!("\"{name}\": process.env.{variable}!"));
        let json = self.body.map(|_| "\"Content-Type\": \"application/json\"".to_owned());
        let headers = from_environment.chain(json).collect::<Vec<_>>().join(", ");
        let mut options = vec![format!("method: \"{}\"", self.method)];
        options.extend((!headers.is_empty()).then(|| format!("headers: {{ {headers} }}")));
        options
            .extend(self.body.map(|body| format!("body: JSON.stringify({})", indented(&code(body, JSON_WORDS, 2), 2))));
        let quote = if self.ids.is_empty() { '"' } else { '`' };
        let url = self.url_with(|id| format!("${{process.env.{id}}}"));
        let options = options.join(",\n  ");
        format!(
            "const response = await fetch({quote}{url}{quote}, {{\n  {options},\n}});\nconsole.log(response.status, await \
             response.text());"
        )
    }

    /// The URL with the variables as a language writes them.
    fn url_with(&self, written: impl Fn(&str) -> String) -> String {
        self.ids.iter().fold(self.url.clone(), |url, id| url.replace(&format!("{{{id}}}"), &written(id)))
    }
}

/// The environment variable of a path parameter: `CAMPAIGN_ID` for the component `CampaignId`.
fn variable(parameter: &OrderedJson) -> String {
    let component = parameter.text_at("$ref").rsplit('/').next().filter(|name| !name.is_empty());
    let name = component.unwrap_or_else(|| parameter.text_at("name"));
    let before = |(index, letter): (usize, char)| if index > 0 && letter.is_ascii_uppercase() { "_" } else { "" };
    name.char_indices().map(|at| format!("{}{}", before(at), at.1.to_ascii_uppercase())).collect()
}

/// Null, true and false.
type Words = [&'static str; 3];
const JSON_WORDS: Words = ["null", "true", "false"];
const PYTHON_WORDS: Words = ["None", "True", "False"];

/// Longest object or array that stays on its line, in bytes.
const MAX_LINE: usize = 64;

/// A value as JSON.
pub(super) fn formatted(value: &OrderedJson) -> String {
    code(value, JSON_WORDS, 2)
}

/// A value as a literal of a language, on several lines if it is long.
fn code(value: &OrderedJson, words: Words, indent: usize) -> String {
    let (open, close, items): (_, _, Vec<String>) = match value {
        OrderedJson::Object(members) => {
            let member = |(name, value): &(String, OrderedJson)| format!("\"{name}\": {}", code(value, words, indent));
            ('{', '}', members.iter().map(member).collect())
        }
        OrderedJson::Array(items) => ('[', ']', items.iter().map(|item| code(item, words, indent)).collect()),
        OrderedJson::Scalar(serde_json::Value::Null) => return words[0].to_owned(),
        OrderedJson::Scalar(serde_json::Value::Bool(value)) => return words[if *value { 1 } else { 2 }].to_owned(),
        OrderedJson::Scalar(value) => return value.to_string(),
    };
    let line = format!("{open}{}{close}", items.join(", "));
    if line.len() <= MAX_LINE && !line.contains('\n') {
        return line;
    }
    let inside = format!("\n{}", items.join(",\n"));
    format!("{open}{}\n{close}", indented(&inside, indent))
}

/// Indents all lines but the first.
fn indented(text: &str, width: usize) -> String {
    text.replace('\n', &format!("\n{}", " ".repeat(width)))
}

#[cfg(test)]
mod tests {
    use super::super::super::ordered_json::parse;
    use super::*;

    fn samples(method: &str, path: &str, operation: &str) -> [String; 3] {
        let document = parse(
            r##"{"components": {"parameters": {
                "CampaignId": {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
                "DryRun": {"name": "dry_run", "in": "query", "schema": {"type": "boolean"}}}}}"##,
        );
        let json = parse(operation);
        let operation = Operation { method: method.to_owned(), path, json: &json };
        Sample::new(&operation, &document, "https://a.example/v1").in_languages().map(|(_, code)| code)
    }

    const CURL: &str = r#"curl -X PATCH "https://a.example/v1/campaigns/$CAMPAIGN_ID?dry_run=true" \
  -H "X-API-Key: $UNIFIED_ADS_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "name": "It'\''s \"new\"",
    "label": null,
    "paused": true,
    "targets": [{"budget": 12.5}]
  }'"#;
    const PYTHON: &str = r#"import os

import requests

response = requests.patch(
    f"https://a.example/v1/campaigns/{os.environ['CAMPAIGN_ID']}?dry_run=true",
    headers={"X-API-Key": os.environ["UNIFIED_ADS_KEY"]},
    json={
        "name": "It's \"new\"",
        "label": None,
        "paused": True,
        "targets": [{"budget": 12.5}]
    },
    timeout=60,
)
print(response.status_code, response.text)"#;
    const TYPESCRIPT: &str = r#"const response = await fetch(`https://a.example/v1/campaigns/${process.env.CAMPAIGN_ID}?dry_run=true`, {
  method: "PATCH",
  headers: { "X-API-Key": process.env.UNIFIED_ADS_KEY!, "Content-Type": "application/json" },
  body: JSON.stringify({
    "name": "It's \"new\"",
    "label": null,
    "paused": true,
    "targets": [{"budget": 12.5}]
  }),
});
console.log(response.status, await response.text());"#;

    #[test]
    fn a_request_with_a_body_is_complete_in_each_language() {
        let [curl, python, typescript] = samples(
            "PATCH",
            "/campaigns/{id}",
            r##"{"parameters": [
                    {"$ref": "#/components/parameters/CampaignId"}, {"$ref": "#/components/parameters/DryRun"},
                    {"name": "limit", "in": "query", "schema": {}}],
                "requestBody": {"content": {"application/json": {"examples": {"a": {"value":
                    {"name": "It's \"new\"", "label": null, "paused": true, "targets": [{"budget": 12.5}]}}}}}}}"##,
        );
        assert_eq!((curl.as_str(), python.as_str(), typescript.as_str()), (CURL, PYTHON, TYPESCRIPT));
    }

    #[test]
    fn what_takes_an_idempotency_key_sends_one_and_a_dry_run_none() {
        let operation = |more: &str| {
            format!(r#"{{"parameters": [{{"name": "Idempotency-Key", "in": "header", "schema": {{}}}}{more}]}}"#)
        };
        let [curl, python, typescript] = samples("POST", "/pages", &operation(""));
        assert!(curl.ends_with("-H \"Idempotency-Key: $IDEMPOTENCY_KEY\""), "{curl}");
        assert!(python.contains(", \"Idempotency-Key\": os.environ[\"IDEMPOTENCY_KEY\"]}"), "{python}");
        assert!(typescript.contains(", \"Idempotency-Key\": process.env.IDEMPOTENCY_KEY! }"), "{typescript}");
        let dry_run = operation(r##", {"$ref": "#/components/parameters/DryRun"}"##);
        assert!(!samples("POST", "/pages", &dry_run).concat().contains("Idempotency-Key"), "a dry run refuses it");
    }

    #[test]
    fn a_public_request_has_no_key_and_an_allowed_value_in_its_path() {
        let [curl, python, typescript] = samples(
            "GET",
            "/pages/{platform}",
            r##"{"security": [], "parameters": [
                {"name": "platform", "in": "path", "required": true, "schema": {"enum": ["a", "b"]}}]}"##,
        );
        assert_eq!(curl, "curl -X GET 'https://a.example/v1/pages/a'");
        assert!(
            python.starts_with("import requests\n\nresponse = requests.get(\n    \"https://a.example/"),
            "{python}"
        );
        assert!(!typescript.contains("headers"), "{typescript}");
    }
}
