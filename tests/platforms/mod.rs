//! One scenario, run against every platform of the sandbox, and the list of platforms for tests that have one each.

mod quirks;
pub(crate) mod scenario;

/// Expands a macro of tests for each platform, in a module with the platform's name.
macro_rules! each_platform {
    ($tests:ident) => {
        mod alpha {
            super::$tests! { shared::domain::Platform::Alpha }
        }
        mod beta {
            super::$tests! { shared::domain::Platform::Beta }
        }
        mod gamma {
            super::$tests! { shared::domain::Platform::Gamma }
        }
        mod delta {
            super::$tests! { shared::domain::Platform::Delta }
        }
        mod epsilon {
            super::$tests! { shared::domain::Platform::Epsilon }
        }
        mod zeta {
            super::$tests! { shared::domain::Platform::Zeta }
        }
    };
}
pub(crate) use each_platform;
