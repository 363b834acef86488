//! Runs the endpoints of signed webhooks on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(webhook_endpoints::SECRETS, webhook_endpoints::handle)
}
