//! `listPlatforms`: the capabilities that also validate creates and updates.

use shared::domain::monthly::longest_month_amount;
use shared::domain::{BudgetPeriod, Platform};
use shared::envelope::query::reject_unknown_params;
use shared::envelope::{
    Bound, DateTable, Dates, DecimalTable, NameTable, PeriodTable, PlatformTable, PlatformVersion, Reply,
};
use shared::error::Error;
use shared::platforms::adapter;
use shared::platforms::capabilities::{BudgetBound, Capabilities, DateRule, DateRules, NameRules};
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
    let ApiVersion { name, ends_on, page } = version;
    let Capabilities {
        platform,
        goals,
        budget_periods: _,
        goals_without_whole_run: _,
        has_period_change,
        writable_statuses: statuses,
        names,
        dates_held_by,
        dates,
        lifetime_needs_end: _,
        daily_spend: _,
        deletion: _,
        minimum_budgets: _,
        maximum_budgets: _,
        decimals,
        notes,
    } = facts.capabilities;
    PlatformTable {
        platform: *platform,
        version: PlatformVersion { name: name.into_owned(), ends_on, page },
        goals,
        periods: facts
            .capabilities
            .offered_periods()
            .into_iter()
            .map(|period| period_table(facts.capabilities, period))
            .collect(),
        has_period_change: *has_period_change,
        statuses,
        names: name_table(names),
        dates_held_by: *dates_held_by,
        dates: date_tables(dates),
        decimals: DecimalTable {
            maximum: decimals.map(|limit| limit.maximum),
            none_in: decimals.map_or(&[], |limit| limit.none_in),
        },
        scopes: facts.flow.scopes,
        pkce: facts.flow.pkce,
        notes,
    }
}

fn period_table(capabilities: &Capabilities, period: BudgetPeriod) -> PeriodTable {
    let of_period = |bounds: &[BudgetBound]| {
        let bounds = bounds.iter().filter(|bound| bound.period.means(period));
        bounds.map(|one| Bound { currency: one.currency, amount: one.amount(), set_by: one.set_by.as_str() }).collect()
    };
    let daily = || capabilities.minimum_budgets.iter().filter(|bound| bound.period == BudgetPeriod::Daily);
    let minimums = match period {
        BudgetPeriod::Monthly => daily().map(month).collect(),
        BudgetPeriod::Daily | BudgetPeriod::Total | BudgetPeriod::Lifetime => of_period(capabilities.minimum_budgets),
    };
    PeriodTable {
        period,
        needs: capabilities.needs(period),
        goals: capabilities.goals_with(period),
        held_by: Capabilities::budget_held_by(period),
        minimums,
        maximums: of_period(capabilities.maximum_budgets),
    }
}

/// The smallest budget of a month, which this service holds by the smallest one of a day.
fn month(daily: &BudgetBound) -> Bound {
    Bound { currency: daily.currency, amount: longest_month_amount(daily.amount()), set_by: daily.set_by.as_str() }
}

fn name_table(rules: &NameRules) -> NameTable {
    let NameRules { minimum, maximum, counted_in, has_emoji } = *rules;
    let forbidden: &[&str] = &["control_characters", "outer_spaces", "emoji"];
    NameTable {
        minimum_characters: minimum,
        maximum,
        maximum_counted_in: counted_in.as_str(),
        forbidden: if has_emoji { &forbidden[..2] } else { forbidden },
    }
}

fn date_tables(rules: &DateRules) -> Dates {
    let DateRules { has_whole_days, start, end, days_ahead, end_before } = rules;
    let table = |DateRule { at_create, at_update, is_removable }: &DateRule| DateTable {
        create: at_create.as_str(),
        update: at_update.as_str(),
        removable: *is_removable,
    };
    Dates {
        precision: if *has_whole_days { "day" } else { "second" },
        start_at: table(start),
        end_at: table(end),
        maximum_days_ahead: *days_ahead,
        end_before: *end_before,
    }
}
