//! Monthly budgets that the service holds, because no platform's campaigns have them.

#[cfg(test)]
mod simulation;
