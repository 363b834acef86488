//! The limits in `template.yaml`: reserved concurrency, timeouts, routes and throttles.

use crate::house::template::{self, Route, TEMPLATE, default_of};
use std::collections::BTreeMap;

/// The key of the route of requests that match no other.
pub(super) const DEFAULT_ROUTE: &str = "$default";

/// A token bucket of API Gateway.
#[derive(Clone, Copy, Debug)]
pub(super) struct Throttle {
    /// Requests a second.
    pub(super) rate: u64,
    pub(super) burst: u64,
}

/// The limits of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) reserve: Option<u64>,
    pub(super) timeout_ms: u64,
}

/// A deployed stack.
#[derive(Debug)]
pub(super) struct Deployment {
    pub(super) functions: BTreeMap<String, Limits>,
    /// The function of each route, by keys such as `GET /v1/campaigns`.
    pub(super) routes: BTreeMap<String, String>,
    /// The routes with a throttle of their own.
    pub(super) throttles: BTreeMap<String, Throttle>,
    /// The throttle of all other routes.
    pub(super) default_throttle: Option<Throttle>,
}

impl Deployment {
    pub(super) fn read() -> Deployment {
        let globals = number_after(TEMPLATE, "\n    Timeout: ").expect("a timeout of all functions");
        let mut deployment = Deployment {
            functions: BTreeMap::new(),
            routes: BTreeMap::new(),
            throttles: BTreeMap::new(),
            default_throttle: None,
        };
        for (name, lines) in template::resources() {
            let text = format!("\n{}", lines.join("\n"));
            if text.contains("Type: AWS::Serverless::Function") {
                deployment.add_function(name, &text, globals);
            } else if text.contains("Type: AWS::Serverless::HttpApi") {
                deployment.add_throttles(&text);
            }
        }
        for Route { function, method, path } in template::routes() {
            let key = if path.is_empty() { DEFAULT_ROUTE.to_owned() } else { format!("{method} {path}") };
            deployment.routes.insert(key, function);
        }
        deployment
    }

    /// The limits of the function of a route.
    pub(super) fn limits_of(&self, route: &str) -> Limits {
        self.functions[&self.routes[route]]
    }

    fn add_function(&mut self, name: &str, text: &str, timeout: u64) {
        let reserve = number_after(text, "ReservedConcurrentExecutions: !If [ReservesConcurrency, ");
        let timeout_ms = number_after(text, "\n      Timeout: ").unwrap_or(timeout) * 1_000;
        self.functions.insert(name.to_owned(), Limits { reserve, timeout_ms });
    }

    /// A throttle is on the line of its route, or on the lines below `DefaultRouteSettings`.
    fn add_throttles(&mut self, text: &str) {
        let value = |text: &str, name: &str| {
            let (_, rest) = text.split_once(&format!("{name}: "))?;
            match rest.strip_prefix("!Ref ") {
                Some(parameter) => default_of(parameter.split([',', ' ', '\n']).next()?).parse().ok(),
                None => leading_number(rest),
            }
        };
        let throttle = |text: &str| {
            Some(Throttle { rate: value(text, "ThrottlingRateLimit")?, burst: value(text, "ThrottlingBurstLimit")? })
        };
        for line in text.lines() {
            let Some((key, settings)) = line.trim().strip_prefix('"').and_then(|line| line.split_once("\": ")) else {
                continue;
            };
            self.throttles.extend(throttle(settings).map(|throttle| (key.to_owned(), throttle)));
        }
        self.default_throttle = text.split_once("DefaultRouteSettings:").and_then(|(_, rest)| throttle(rest));
    }
}

fn number_after(text: &str, prefix: &str) -> Option<u64> {
    leading_number(text.split_once(prefix)?.1)
}

fn leading_number(text: &str) -> Option<u64> {
    text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
