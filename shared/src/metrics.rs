//! Metrics for graphs and alarms, in CloudWatch's embedded metric format: lines of JSON on standard output, beside the
//! log.
//!
//! <https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html>

use crate::domain::Platform;
use crate::routes::Function;
use crate::timing::millis;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// Writes metrics.
#[derive(Clone, Default)]
pub struct Metrics(Option<Sink>);

#[derive(Clone)]
struct Sink {
    namespace: String,
    write: Arc<dyn Fn(&str) + Send + Sync>,
}

/// The dimension of a metric. CloudWatch bills every value of a dimension, so customers and paths have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricScope {
    /// The whole service.
    Service,
    Function(Function),
    /// One ad platform.
    Platform(Platform),
}

/// The value of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Count(usize),
    Time(Duration),
}

/// The metrics of one scope, by name. Each scope occurs once in a line.
pub type Group = (MetricScope, Vec<(&'static str, Number)>);

impl Metrics {
    /// Writes to standard output under a namespace; without one, as on a laptop, writes nothing.
    pub fn under(namespace: Option<String>) -> Metrics {
        namespace.map_or_else(Metrics::default, |namespace| {
            Metrics::to(namespace, |line| {
                // A request must not fail because its metrics cannot be written.
                let _ = writeln!(std::io::stdout().lock(), "{line}");
            })
        })
    }

    /// Writes the same lines elsewhere.
    pub fn to(namespace: String, write: impl Fn(&str) + Send + Sync + 'static) -> Metrics {
        Metrics(Some(Sink { namespace, write: Arc::new(write) }))
    }

    /// Writes one line.
    pub fn write(&self, groups: &[Group], now: Timestamp) {
        if let Some(Sink { namespace, write }) = &self.0 {
            write(&line(namespace, groups, now).to_string());
        }
    }
}

impl MetricScope {
    fn dimension(self) -> Option<(&'static str, String)> {
        match self {
            MetricScope::Service => None,
            MetricScope::Function(function) => Some(("Function", format!("{function:?}"))),
            MetricScope::Platform(platform) => Some(("Platform", platform.as_str().to_owned())),
        }
    }
}

impl Number {
    fn unit(self) -> &'static str {
        match self {
            Number::Count(_) => "Count",
            Number::Time(_) => "Milliseconds",
        }
    }

    fn value(self) -> Value {
        match self {
            Number::Count(count) => count.into(),
            Number::Time(time) => millis(time).into(),
        }
    }
}

fn line(namespace: &str, groups: &[Group], now: Timestamp) -> Value {
    let mut members = Map::new();
    let mut directives = Vec::new();
    for (scope, numbers) in groups {
        let dimension = scope.dimension();
        let names: Vec<&str> = dimension.iter().map(|(name, _)| *name).collect();
        let metrics: Vec<Value> =
            numbers.iter().map(|(name, number)| json!({ "Name": name, "Unit": number.unit() })).collect();
        directives.push(json!({ "Namespace": namespace, "Dimensions": [names], "Metrics": metrics }));
        members.extend(dimension.map(|(name, value)| (name.to_owned(), value.into())));
        members.extend(numbers.iter().map(|(name, number)| ((*name).to_owned(), number.value())));
    }
    members.insert("_aws".to_owned(), json!({ "Timestamp": now.as_millisecond(), "CloudWatchMetrics": directives }));
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_scope_and_unit_of_each_number() {
        let groups: [Group; 3] = [
            (
                MetricScope::Function(Function::Campaigns),
                vec![("Duration", Number::Time(Duration::from_micros(1_500)))],
            ),
            (MetricScope::Platform(Platform::Alpha), vec![("PlatformFailures", Number::Count(1))]),
            (MetricScope::Service, vec![("ChangesUnsettled", Number::Count(3))]),
        ];
        let line = line("UnifiedAds/test", &groups, Timestamp::from_millisecond(1_700_000_000_123).unwrap());
        let directive = |dimensions: Value, name: &str, unit: &str| {
            let metrics = json!([{ "Name": name, "Unit": unit }]);
            json!({ "Namespace": "UnifiedAds/test", "Dimensions": dimensions, "Metrics": metrics })
        };
        let expected = json!({
            "_aws": { "Timestamp": 1_700_000_000_123_u64, "CloudWatchMetrics": [
                directive(json!([["Function"]]), "Duration", "Milliseconds"),
                directive(json!([["Platform"]]), "PlatformFailures", "Count"),
                directive(json!([[]]), "ChangesUnsettled", "Count"),
            ]},
            "Function": "Campaigns",
            "Duration": 1.5,
            "Platform": "alpha_ads",
            "PlatformFailures": 1,
            "ChangesUnsettled": 3,
        });
        assert_eq!(line, expected);
    }
}
