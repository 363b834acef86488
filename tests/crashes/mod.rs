//! Crashes.

mod client;
mod enumerate;
mod point;
mod process;
mod schedule;
mod story;
mod truth;
mod wires;
mod world;

use enumerate::Field;
use shared::domain::Platform;

#[test]
fn alpha_one() {
    Field::new(&[(Platform::Alpha, 1)]).each_point();
}
#[test]
fn beta_one() {
    Field::new(&[(Platform::Beta, 1)]).each_point();
}
#[test]
fn gamma_one() {
    Field::new(&[(Platform::Gamma, 1)]).each_point();
}
