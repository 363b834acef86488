//! The commands. Each returns the text to print.

use super::Failure;
use super::arguments::Command;
use super::target::Target;
use crate::customers::{self, into_cause};
use crate::{demo, reseal};
use secrecy::ExposeSecret;
use shared::auth::ApiKey;
use shared::clock::Clock;
use shared::digest::sha256_hex;
use shared::domain::{CustomerId, PersonId, Plan};
use shared::routes::DASHBOARD;
use shared::store::{Account, INVITATION_TTL};
use shared::vault::random_token;

const KEY_SHOWN_ONCE: &str = "The key is shown only once: store it now.\n";

/// The person who gets a new customer, as the issuer names it.
struct Owner {
    subject: String,
    issuer: String,
}

/// Runs a command.
pub(super) async fn run(target: &Target, command: Command) -> Result<String, Failure> {
    match command {
        Command::CreateCustomer { email, plan, owner, issuer } => {
            let owner = owner.zip(issuer).map(|(subject, issuer)| Owner { subject, issuer });
            create_customer(target, &email, plan, owner).await
        }
        Command::ListCustomers => list_customers(target).await,
        Command::RotateKey { customer } => rotate_key(target, customer).await,
        Command::Invite { customer, url } => invite(target, customer, &url).await,
        Command::SetPlan { customer, plan } => {
            ensure_found(target.store.set_plan(customer, plan).await.map_err(into_cause)?, customer)?;
            Ok(format!("Changed the plan of {customer} to {}.\n", plan.as_str()))
        }
        Command::DisableCustomer { customer } => {
            ensure_found(target.store.disable_account(customer).await.map_err(into_cause)?, customer)?;
            Ok(format!("Disabled {customer}.\n"))
        }
        Command::Reseal => {
            let (aws, secrets_prefix) = target.with_secrets()?;
            reseal::run(aws, target.table.clone(), secrets_prefix).await
        }
    }
}

async fn create_customer(target: &Target, email: &str, plan: Plan, owner: Option<Owner>) -> Result<String, Failure> {
    let (customer, key) = match &owner {
        Some(owner) => create_owned(target, email, plan, owner).await?,
        None => customers::create(&target.store, email, plan, target.mode).await.map_err(into_cause)?,
    };
    let owner = owner.map(|owner| format!("owner     {} at {}\n", owner.subject, owner.issuer)).unwrap_or_default();
    let (plan, key) = (plan.as_str(), key.reveal());
    Ok(format!("customer  {customer}\nemail     {email}\nplan      {plan}\n{owner}key       {key}\n{KEY_SHOWN_ONCE}"))
}

async fn create_owned(
    target: &Target,
    email: &str,
    plan: Plan,
    Owner { subject, issuer }: &Owner,
) -> Result<(CustomerId, ApiKey), Failure> {
    let person = PersonId::of(issuer, subject);
    let created = customers::create_owned(&target.store, (email, plan), target.mode, &person).await;
    if let Some(created) = created.map_err(into_cause)? {
        return Ok(created);
    }
    let known = target.store.customer_of(&person).await.map_err(into_cause)?;
    let known = known.map_or_else(String::new, |customer| format!(" {customer}"));
    Err(format!("the person {subject} of {issuer} has the customer{known} already; nothing was created").into())
}

async fn list_customers(target: &Target) -> Result<String, Failure> {
    let mut accounts = target.store.all_accounts(Clock::system().now()).await.map_err(into_cause)?;
    if accounts.is_empty() {
        return Ok("No customers.\n".to_owned());
    }
    accounts.sort_by_key(|account| account.customer.created_at);
    Ok(accounts.iter().map(line).collect())
}

fn line(account: &Account) -> String {
    let customer = &account.customer;
    let state = if customer.disabled { "disabled" } else { "active" };
    let (id, plan, created_at, email) = (customer.id, customer.plan.as_str(), customer.created_at, &customer.email);
    format!("{id}  {plan:<10}  {state:<8}  {created_at:.0}  {email}\n")
}

async fn rotate_key(target: &Target, customer: CustomerId) -> Result<String, Failure> {
    let key = ApiKey::generate(customer, target.mode).map_err(into_cause)?;
    ensure_found(
        target.store.reset_keys(customer, &key.hash(), Clock::system().now()).await.map_err(into_cause)?,
        customer,
    )?;
    // A failed write of demo-key is only a note: the old key no longer works, so the new one must be printed.
    let note = match target.folder().map(|folder| demo::replace_key(folder, &key)) {
        Some(Ok(true)) => "It was stored as the demo customer's key.\n".to_owned(),
        Some(Err(error)) => format!("The demo customer's key file could not be checked: {error}\n"),
        Some(Ok(false)) | None => String::new(),
    };
    Ok(format!("customer  {customer}\nkey       {}\n{KEY_SHOWN_ONCE}{note}", key.reveal()))
}

async fn invite(target: &Target, customer: CustomerId, url: &str) -> Result<String, Failure> {
    let now = Clock::system().now();
    let account = target.store.account(customer, now).await.map_err(into_cause)?;
    ensure_found(account.is_some(), customer)?;
    let invitation = random_token()?;
    let invitation = invitation.expose_secret();
    target.store.put_invitation(&sha256_hex(invitation), customer, now).await.map_err(into_cause)?;
    let hours = INVITATION_TTL.as_hours();
    Ok(format!("{url}{DASHBOARD}/sign-in?invitation={invitation}\nThe link works once, for {hours} hours.\n"))
}

fn ensure_found(is_found: bool, customer: CustomerId) -> Result<(), Failure> {
    if is_found { Ok(()) } else { Err(format!("no customer has the id {customer}").into()) }
}
