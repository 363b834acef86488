//! `listPlatforms`: the capabilities that also validate creates and updates.

use shared::domain::Platform;
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{PlatformTable, PlatformVersion, Reply, SmallestBudget};
use shared::error::Error;
use shared::platforms::adapter;
use shared::platforms::capabilities::MinimumBudget;
use shared::platforms::engine::facts::Facts;
use shared::platforms::version::ApiVersion;
use shared::serve::ApiRequest;

/// Lists the platforms.
pub(crate) fn platforms(request: &ApiRequest) -> Result<Reply, Error> {
    reject_unknown_params(&request.query, &[])?;
    let tables = Platform::ALL.into_iter().map(|platform| {
        let facts = adapter(platform).facts();
        table(facts, (facts.api_version)(&request.app.platform_settings))
    });
    Ok(Reply::Platforms(tables.collect()))
}

fn table(facts: &'static Facts, version: ApiVersion) -> PlatformTable {
    let capabilities = facts.capabilities;
    let ApiVersion { name, ends_on, page } = version;
    let minimum_budget = |minimum: &MinimumBudget| SmallestBudget {
        period: minimum.period,
        currency: minimum.currency,
        amount: minimum.amount(),
    };
    PlatformTable {
        platform: capabilities.platform,
        version: PlatformVersion { name: name.into_owned(), ends_on, page },
        goals: capabilities.goals,
        budget_periods: capabilities.budget_periods,
        statuses: capabilities.writable_statuses,
        minimum_budgets: capabilities.minimum_budgets.iter().map(minimum_budget).collect(),
        dates_held_by: capabilities.dates_held_by,
        scopes: facts.flow.scopes,
        pkce: facts.flow.pkce,
        notes: capabilities.notes,
    }
}
