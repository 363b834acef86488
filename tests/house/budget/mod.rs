//! The cost of each endpoint: the round trips and calls that it makes, and the units of the store, counted and compared
//! with `table.md`. Exactly, so that an improvement is recorded as well.

mod accounts;
mod agents;
mod assistants;
mod billing;
mod call_recorder;
mod campaigns;
mod connections;
mod crowd;
mod dashboard;
mod growth;
mod limited;
mod stage;
mod table;
mod users;

use shared::domain::Platform;
use shared::routes::ROUTES;
use std::collections::BTreeSet;

#[tokio::test(start_paused = true)]
async fn every_endpoint_makes_the_calls_that_the_table_says() {
    let mut counted = Vec::new();
    for platform in Platform::ALL {
        counted.extend(Box::pin(campaigns::on_one(platform)).await);
    }
    counted.extend(Box::pin(campaigns::on_all()).await);
    counted.extend(Box::pin(campaigns::scheduled_changes()).await);
    counted.extend(Box::pin(campaigns::without_a_platform()).await);
    counted.extend(Box::pin(connections::story()).await);
    counted.extend(Box::pin(accounts::story()).await);
    counted.extend(Box::pin(accounts::at_the_door()).await);
    counted.extend(Box::pin(agents::story()).await);
    counted.extend(Box::pin(assistants::story()).await);
    counted.extend(Box::pin(limited::story()).await);
    counted.extend(Box::pin(limited::approvals()).await);
    counted.extend(Box::pin(limited::key_stop()).await);
    counted.extend(Box::pin(billing::story()).await);
    counted.extend(Box::pin(dashboard::story()).await);
    let wrong = table::differences(&counted);
    assert!(wrong.is_empty(), "tests/house/budget/table.md should say:\n{}", wrong.join("\n"));
}

#[test]
fn every_endpoint_has_a_row() {
    let written: BTreeSet<String> = table::rows().into_iter().map(|(row, _)| row.endpoint).collect();
    for route in ROUTES {
        let endpoint = format!("{} {}", route.method, route.path);
        assert!(
            written.contains(&endpoint),
            "{endpoint}: count it in a story of tests/house/budget, and write its row"
        );
    }
}

#[test]
fn every_row_above_its_round_trip_budget_has_a_reason() {
    for (row, written) in table::rows() {
        let Ok(budget) = written.budget.parse::<usize>() else { continue };
        let before: usize = row.cells.before.parse().expect("a number");
        let is_over = before > budget;
        assert_eq!(is_over, !written.why.is_empty(), "{}, {}: {before} of {budget}", row.endpoint, row.case);
    }
}

#[test]
fn the_number_of_campaigns_does_not_change_the_calls_of_a_list() {
    let calls = |case: String| {
        let mut rows = table::rows().into_iter().map(|(row, _)| row);
        let row = rows.find(|row| row.endpoint == "GET /v1/campaigns" && row.case == case);
        row.unwrap_or_else(|| panic!("no row for a list of {case}")).cells.platform
    };
    for platform in Platform::ALL {
        assert_eq!(calls(format!("{platform}, 5 campaigns")), calls(format!("{platform}, 1 campaign")), "{platform}");
    }
}
