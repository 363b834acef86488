//! The commands. Each returns the text to print.

use super::arguments::Command;
use super::output::{KEY_SHOWN_ONCE, ensure_found, json_list};
use super::rotate_key::rotate_key;
use super::target::Target;
use super::{Failure, check, leaving, people};
use crate::customers::{self, into_cause};
use crate::reseal;
use serde_json::{Value, json};
use shared::auth::ApiKey;
use shared::clock::Clock;
use shared::domain::{Customer, CustomerId, PersonId, Plan};
use shared::store::Account;

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
        Command::ListCustomers { json } => list_customers(target, json).await,
        Command::Check { json } => check::check(target, json).await,
        Command::RotateKey { customer } => rotate_key(target, customer).await,
        Command::Invite { customer, url } => people::invite(target, customer, &url).await,
        Command::ListInvitations { customer, json } => people::list_invitations(target, customer, json).await,
        Command::WithdrawInvitation { customer, invitation } => {
            people::withdraw_invitation(target, customer, &invitation).await
        }
        Command::ListPeople { customer, json } => people::list(target, customer, json).await,
        Command::RemovePerson { customer, person } => people::remove(target, customer, &person).await,
        Command::EndSessions { customer, person } => people::end_sessions(target, customer, person.as_ref()).await,
        Command::SetPlan { customer, plan } => {
            ensure_found(
                target.store.set_plan(customer, plan, Clock::system().now()).await.map_err(into_cause)?,
                customer,
            )?;
            Ok(format!("Changed the plan of {customer} to {}.\n", plan.as_str()))
        }
        Command::DisableCustomer { customer } => {
            ensure_found(target.store.set_disabled(customer, true).await.map_err(into_cause)?, customer)?;
            Ok(format!("Disabled {customer}. `enable-customer --customer {customer}` lets it in again.\n"))
        }
        Command::EnableCustomer { customer } => {
            ensure_found(target.store.set_disabled(customer, false).await.map_err(into_cause)?, customer)?;
            Ok(format!("Enabled {customer}: its keys and its people's sessions work again.\n"))
        }
        Command::ExportCustomer { customer } => leaving::export(target, customer).await,
        Command::DeleteCustomer { customer, email, leave_running } => {
            leaving::delete(target, customer, &email, leave_running).await
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
    let plan = plan.as_str();
    let key = key.reveal();
    Ok(format!("customer  {customer}\nemail     {email}\nplan      {plan}\n{owner}key       {key}\n{KEY_SHOWN_ONCE}"))
}

async fn create_owned(
    target: &Target,
    email: &str,
    plan: Plan,
    Owner { subject, issuer }: &Owner,
) -> Result<(CustomerId, ApiKey), Failure> {
    let person = PersonId::of(issuer, subject);
    let created = customers::create_owned(&target.store, email, plan, target.mode, person.clone()).await;
    if let Some(created) = created.map_err(into_cause)? {
        return Ok(created);
    }
    let known = target.store.customer_of(&person).await.map_err(into_cause)?;
    let known = known.map_or_else(String::new, |customer| format!(" {customer}"));
    Err(format!("the person {subject} of {issuer} has the customer{known} already; nothing was created").into())
}

async fn list_customers(target: &Target, json: bool) -> Result<String, Failure> {
    let mut accounts = target.store.all_accounts(Clock::system().now()).await.map_err(into_cause)?;
    accounts.sort_by_key(|account| account.customer.created_at);
    if json {
        return Ok(json_list(accounts.iter().map(object)));
    }
    if accounts.is_empty() {
        return Ok("No customers.\n".to_owned());
    }
    Ok(accounts.iter().map(line).collect())
}

fn object(account: &Account) -> Value {
    let Customer { id, email, plan, created_at, disabled, .. } = &account.customer;
    json!({ "id": id.to_string(), "email": email, "plan": plan.as_str(), "created_at": created_at.to_string(), "disabled": disabled })
}

fn line(account: &Account) -> String {
    let customer = &account.customer;
    let state = if customer.disabled { "disabled" } else { "active" };
    let id = customer.id;
    let plan = customer.plan.as_str();
    let created_at = customer.created_at;
    let email = &customer.email;
    format!("{id}  {plan:<10}  {state:<8}  {created_at:.0}  {email}\n")
}
