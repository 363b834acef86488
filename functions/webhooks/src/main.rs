//! Runs the payment provider's webhooks on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(webhooks::SECRETS, webhooks::handle)
}
