//! A run of maintenance while nothing is due. The schedules leave such runs out, so this proves that nothing is lost.

use super::environment::{Environment, EnvironmentOptions, run_paused};
use crate::in_process::engine::items;
use crate::in_process::faults::{Dependency, FaultPlan};
use shared::domain::Platform;

#[test]
fn maintenance_only_reads_while_nothing_is_due() {
    for platform in Platform::ALL {
        let options = EnvironmentOptions { accounts: vec![(platform, 1)], store_attempts: 1, keeps_log: false };
        run_paused(async {
            let environment = Environment::connected(&options);
            assert!(environment.is_idle(), "{platform}");
            let before = items(&environment.in_process.database);
            let faults = FaultPlan::none();
            environment.plan(vec![faults.clone()]);
            environment.maintenance().await;
            let points = faults.points();
            assert!(!points.is_empty(), "{platform}: the run asked nothing");
            let reads = |name: &str| name.starts_with("Query ");
            let other = points.iter().find(|point| point.dependency != Dependency::Store || !reads(&point.name));
            assert!(other.is_none(), "{platform}: {other:?}");
            assert_eq!(items(&environment.in_process.database), before, "{platform}");
        });
    }
}
