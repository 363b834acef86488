//! The request of an operation in curl, Python and TypeScript, with the values of the document's examples.

use super::super::ordered_json::OrderedJson;
use super::operation::Operation;
use super::schema::literal;

/// The environment variable that holds the API key in the examples.
const KEY: &str = "UNIFIED_ADS_KEY";

/// A request with the parameters that the operation requires.
pub(super) struct ExampleRequest<'a> {
    method: &'a str,
    url: String,
    has_key: bool,
    headers: Vec<(&'a str, String)>,
    body: Option<&'a OrderedJson>,
}

impl<'a> ExampleRequest<'a> {
    pub(super) fn new(operation: &'a Operation<'a>, parameters: &[&'a OrderedJson], document: &'a OrderedJson) -> Self {
        let required = |place: &'static str| {
            let here = parameters
                .iter()
                .filter(move |parameter| parameter.get("required").is_some() && parameter.text_at("in") == place);
            here.map(|parameter| (parameter.text_at("name"), example_value(parameter, document)))
        };
        let path = required("path")
            .fold(operation.path.to_owned(), |path, (name, value)| path.replace(&format!("{{{name}}}"), &value));
        let query: Vec<String> = required("query").map(|(name, value)| format!("{name}={value}")).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        ExampleRequest {
            method: &operation.method,
            url: format!("{}{path}{mark}{}", base_url(document), query.join("&")),
            has_key: !operation.is_public(),
            headers: required("header").collect(),
            body: operation.example_body(),
        }
    }

    /// The request in each language, with the name of the language.
    pub(super) fn in_languages(&self) -> [(&'static str, String); 3] {
        [("curl", self.curl()), ("Python", self.python()), ("TypeScript", self.typescript())]
    }

    fn curl(&self) -> String {
        let key = self.has_key.then(|| format!("-H \"X-API-Key: ${KEY}\""));
        let headers = self.headers.iter().map(|(name, value)| format!("-H '{name}: {value}'"));
        let body = self.body.map(|body| {
            let json = indented(&code(body, JSON_WORDS, 2), 2).replace('\'', "'\\''");
            format!("-H 'Content-Type: application/json' \\\n  -d '{json}'")
        });
        let first = format!("curl -X {} '{}'", self.method, self.url);
        std::iter::once(first).chain(key).chain(headers).chain(body).collect::<Vec<_>>().join(" \\\n  ")
    }

    fn python(&self) -> String {
        let key = self.has_key.then(|| format!("\"X-API-Key\": os.environ[\"{KEY}\"]"));
        let headers = self.header_members(key);
        let imports = if self.has_key { "import os\n\nimport requests" } else { "import requests" };
        let mut arguments = vec![format!("\"{}\"", self.url)];
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
        let key = self.has_key.then(|| format!("\"X-API-Key\": process.env.{KEY}!"));
        let json = self.body.map(|_| "\"Content-Type\": \"application/json\"".to_owned());
        let headers = self.header_members(key.into_iter().chain(json));
        let mut options = vec![format!("method: \"{}\"", self.method)];
        options.extend((!headers.is_empty()).then(|| format!("headers: {{ {headers} }}")));
        options
            .extend(self.body.map(|body| format!("body: JSON.stringify({})", indented(&code(body, JSON_WORDS, 2), 2))));
        let url = &self.url;
        let options = options.join(",\n  ");
        format!(
            "const response = await fetch(\"{url}\", {{\n  {options},\n}});\nconsole.log(response.status, await \
             response.text());"
        )
    }

    /// The headers as members of an object, which Python and TypeScript write alike.
    fn header_members(&self, first: impl IntoIterator<Item = String>) -> String {
        let own = self.headers.iter().map(|(name, value)| format!("\"{name}\": \"{value}\""));
        first.into_iter().chain(own).collect::<Vec<_>>().join(", ")
    }
}

/// The URL of the first server, with the default values of its variables.
fn base_url(document: &OrderedJson) -> String {
    let Some(server) = document.child("servers").items().first() else { return String::new() };
    server.child("variables").members().iter().fold(server.text_at("url").to_owned(), |url, (name, variable)| {
        url.replace(&format!("{{{name}}}"), variable.text_at("default"))
    })
}

/// An example of a parameter: of its schema, or the first of its values, or its name.
fn example_value(parameter: &OrderedJson, document: &OrderedJson) -> String {
    let schema = parameter.child("schema").resolved(document);
    let first = |name: &str| schema.child(name).items().first();
    first("examples").or_else(|| first("enum")).map_or_else(|| parameter.text_at("name").to_uppercase(), literal)
}

/// Null, true and false.
type Words = [&'static str; 3];
const JSON_WORDS: Words = ["null", "true", "false"];
const PYTHON_WORDS: Words = ["None", "True", "False"];

/// A value as a literal of a language, on several lines.
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
    if items.is_empty() {
        return format!("{open}{close}");
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

    fn examples(method: &str, path: &str, operation: &str) -> [String; 3] {
        let document = parse(
            r##"{"servers": [{"url": "{base}/v1", "variables": {"base": {"default": "https://a.example"}}}],
                "components": {"schemas": {"Id": {"type": "string", "examples": ["c_1"]}}}}"##,
        );
        let json = parse(operation);
        let operation = Operation { method: method.to_owned(), path, json: &json };
        let parameters: Vec<&OrderedJson> = json.child("parameters").items().iter().collect();
        ExampleRequest::new(&operation, &parameters, &document).in_languages().map(|(_, code)| code)
    }

    const CURL: &str = r#"curl -X PATCH 'https://a.example/v1/campaigns/c_1' \
  -H "X-API-Key: $UNIFIED_ADS_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
    "name": "It'\''s \"new\"",
    "label": null,
    "paused": true,
    "targets": [
      {
        "budget": 12.5
      }
    ]
  }'"#;
    const PYTHON: &str = r#"import os

import requests

response = requests.patch(
    "https://a.example/v1/campaigns/c_1",
    headers={"X-API-Key": os.environ["UNIFIED_ADS_KEY"]},
    json={
        "name": "It's \"new\"",
        "label": None,
        "paused": True,
        "targets": [
            {
                "budget": 12.5
            }
        ]
    },
    timeout=60,
)
print(response.status_code, response.text)"#;
    const TYPESCRIPT: &str = r#"const response = await fetch("https://a.example/v1/campaigns/c_1", {
  method: "PATCH",
  headers: { "X-API-Key": process.env.UNIFIED_ADS_KEY!, "Content-Type": "application/json" },
  body: JSON.stringify({
    "name": "It's \"new\"",
    "label": null,
    "paused": true,
    "targets": [
      {
        "budget": 12.5
      }
    ]
  }),
});
console.log(response.status, await response.text());"#;

    #[test]
    fn a_request_with_a_body_is_complete_in_each_language() {
        let [curl, python, typescript] = examples(
            "PATCH",
            "/campaigns/{id}",
            r##"{"parameters": [
                    {"name": "id", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/Id"}},
                    {"name": "limit", "in": "query", "schema": {}}],
                "requestBody": {"content": {"application/json": {"examples": {"a": {"value":
                    {"name": "It's \"new\"", "label": null, "paused": true, "targets": [{"budget": 12.5}]}}}}}}}"##,
        );
        assert_eq!((curl.as_str(), python.as_str(), typescript.as_str()), (CURL, PYTHON, TYPESCRIPT));
    }

    #[test]
    fn a_public_request_has_no_key_and_its_required_parameters() {
        let [curl, python, typescript] = examples(
            "GET",
            "/callback",
            r##"{"security": [], "parameters": [
                {"name": "state", "in": "query", "required": true, "schema": {"enum": ["a", "b"]}},
                {"name": "Signature", "in": "header", "required": true, "schema": {"type": "string"}}]}"##,
        );
        assert_eq!(curl, "curl -X GET 'https://a.example/v1/callback?state=a' \\\n  -H 'Signature: SIGNATURE'");
        assert!(python.starts_with("import requests\n\nresponse = requests.get("), "{python}");
        assert!(python.contains(r#"headers={"Signature": "SIGNATURE"},"#), "{python}");
        assert!(typescript.contains(r#"headers: { "Signature": "SIGNATURE" },"#), "{typescript}");
    }
}
