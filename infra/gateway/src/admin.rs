//! The operator's work: in a data folder, whether or not a gateway runs on it, or in a deployed table.

use crate::customers::{self, explain};
use crate::data::{self, RETRY};
use crate::engine::{self, Engine, Place};
use crate::presence::Presence;
use crate::{aws, cli, demo, reseal};
use clap::{Args, Subcommand};
use shared::app::Aws;
use shared::auth::{ApiKey, Mode};
use shared::clock::Clock;
use shared::domain::{CustomerId, Plan};
use shared::store::{Account, Store};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// How long a gateway that has just taken the folder may need until its engine answers.
const PATIENCE: Duration = Duration::from_secs(5);

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Which customers, and what to do.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Work on this deployed table; AWS_REGION and credentials come from the environment.
    #[arg(long, value_name = "NAME", global = true)]
    table: Option<String>,
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Makes a customer and prints its key, once.
    CreateCustomer {
        /// Address of the person behind the account.
        #[arg(long, value_parser = email)]
        email: String,
        /// starter, pro or enterprise.
        #[arg(long, value_parser = plan, default_value = "starter")]
        plan: Plan,
    },
    /// Prints every customer.
    ListCustomers,
    /// Replaces a customer's key and prints the new one, once; the old one is dead at once.
    RotateKey {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
    },
    /// Changes what a customer pays for.
    SetPlan {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
        /// starter, pro or enterprise.
        #[arg(long, value_parser = plan)]
        plan: Plan,
    },
    /// Refuses a customer everything from now on.
    DisableCustomer {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
    },
    /// Seals all stored tokens with the active token key, so that older keys can be removed; with --table,
    /// SECRETS_PREFIX says where the keys are.
    Reseal,
}

/// Does one task and prints what came of it.
pub(crate) async fn run(arguments: Arguments, folder: Option<PathBuf>) -> Result<(), Failure> {
    let Arguments { table, task } = arguments;
    let customers = match (table, folder) {
        (Some(_), Some(_)) => return Err("--table and --data name two places: pass one of them".into()),
        (Some(table), None) => Customers::new(Aws::from_env()?, table, Mode::Live, None),
        (None, folder) => {
            let folder = folder.unwrap_or_else(cli::default_folder);
            let creates = matches!(task, Task::CreateCustomer { .. });
            if !creates && !folder.is_dir() {
                return Err(format!("there is no folder {}: name the gateway's with --data", folder.display()).into());
            }
            open(folder).await?
        }
    };
    let outcome = customers.perform(task).await;
    if let Some(Local { engine: Some(engine), .. }) = customers.local {
        engine.stop().await;
    }
    // Only now: who reads the answer may count on it that the folder is free again.
    Ok(io::stdout().write_all(outcome?.as_bytes())?)
}

/// The customers of one table.
struct Customers {
    aws: Aws,
    table: String,
    store: Store,
    mode: Mode,
    local: Option<Local>,
}

struct Local {
    folder: PathBuf,
    /// Ours, when no gateway runs.
    engine: Option<Engine>,
}

impl Customers {
    fn new(aws: Aws, table: impl Into<String>, mode: Mode, local: Option<Local>) -> Customers {
        let table = table.into();
        Customers { store: Store::new(aws.dynamodb_client(), &table), aws, table, mode, local }
    }

    async fn perform(&self, task: Task) -> Result<String, Failure> {
        match task {
            Task::CreateCustomer { email, plan } => self.create(&email, plan).await,
            Task::ListCustomers => {
                let mut accounts = self.store.all_accounts(Clock::system().now()).await.map_err(explain)?;
                accounts.sort_by_key(|account| account.customer.created_at);
                Ok(table(&accounts))
            }
            Task::RotateKey { customer } => self.rotate(customer).await,
            Task::SetPlan { customer, plan } => {
                found(self.store.set_plan(customer, plan).await.map_err(explain)?, customer)?;
                Ok(format!("{customer} is on plan {} now.\n", plan.as_str()))
            }
            Task::DisableCustomer { customer } => {
                found(self.store.disable_account(customer).await.map_err(explain)?, customer)?;
                Ok(format!("{customer} is disabled now.\n"))
            }
            Task::Reseal => {
                let folder = self.local.as_ref().map(|local| local.folder.as_path());
                reseal::run(self.aws.clone(), self.table.clone(), folder).await
            }
        }
    }

    async fn create(&self, email: &str, plan: Plan) -> Result<String, Failure> {
        let (customer, key) = customers::create(&self.store, email, plan, self.mode).await.map_err(explain)?;
        let (plan, key) = (plan.as_str(), key.reveal());
        Ok(format!("customer  {customer}\nemail     {email}\nplan      {plan}\nkey       {key}\n{ONCE}"))
    }

    async fn rotate(&self, customer: CustomerId) -> Result<String, Failure> {
        let key = ApiKey::generate(customer, self.mode).map_err(explain)?;
        found(self.store.set_key_hash(customer, &key.hash()).await.map_err(explain)?, customer)?;
        // The new key is printed whatever becomes of the file: the old one is dead already.
        let kept = self.local.as_ref().map(|local| demo::renew(&local.folder, &key));
        let note = match kept {
            Some(Ok(true)) => "It is kept as the demo customer's key.\n".to_owned(),
            Some(Err(error)) => format!("Whether it is the demo customer's could not be seen: {error}\n"),
            Some(Ok(false)) | None => String::new(),
        };
        Ok(format!("customer  {customer}\nkey       {}\n{ONCE}{note}", key.reveal()))
    }
}

const ONCE: &str = "The key is shown only now: keep it.\n";

fn found(changed: bool, customer: CustomerId) -> Result<(), Failure> {
    if changed { Ok(()) } else { Err(format!("there is no customer {customer}").into()) }
}

fn table(accounts: &[Account]) -> String {
    if accounts.is_empty() {
        return "There is no customer yet.\n".to_owned();
    }
    let line = |account: &Account| {
        let customer = &account.customer;
        let state = if customer.disabled { "disabled" } else { "active" };
        let (id, plan, created_at, email) = (customer.id, customer.plan.as_str(), customer.created_at, &customer.email);
        format!("{id}  {plan:<10}  {state:<8}  {created_at:.0}  {email}\n")
    };
    accounts.iter().map(line).collect()
}

/// The table of a data folder: through the gateway that runs on it, or else with an engine of our own.
async fn open(folder: PathBuf) -> Result<Customers, Failure> {
    let end = Instant::now() + PATIENCE;
    let (endpoint, engine) = loop {
        if let Some(lock) = data::try_lock(&folder)? {
            let engine = Engine::start(Place::Folder(folder.clone(), lock))?;
            break (engine.endpoint.clone(), Some(engine));
        }
        // Between the folder taken and the engine named, and while it closes, a gateway is not to be reached.
        match Presence::read(&folder)?.map(|presence| presence.endpoint) {
            Some(endpoint) if engine::answers(&endpoint).await => break (endpoint, None),
            _ if Instant::now() >= end => {
                return Err(format!("{} is in use, but no gateway answers for it: try again", folder.display()).into());
            }
            _ => sleep(RETRY).await,
        }
    };
    Ok(Customers::new(aws(&endpoint, None), engine::TABLE, Mode::Test, Some(Local { folder, engine })))
}

/// Only what keeps a slip of the hand out; whether an address is real, only a letter to it tells.
fn email(text: &str) -> Result<String, String> {
    let parts = text.split_once('@').filter(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    let odd = text.chars().any(|c| c.is_whitespace() || c.is_control());
    match parts {
        Some(_) if !odd && text.len() <= 254 => Ok(text.to_owned()),
        _ => Err("an e-mail address is wanted: name@host, at most 254 bytes, without spaces".to_owned()),
    }
}

fn plan(text: &str) -> Result<Plan, String> {
    Plan::parse(text).ok_or_else(|| format!("a plan is one of {}", Plan::ALL.map(Plan::as_str).join(", ")))
}

fn customer_id(text: &str) -> Result<CustomerId, String> {
    Uuid::parse_str(text).map(CustomerId).map_err(|error| format!("a customer's id is a UUID: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_address_has_two_sides_and_no_spaces() {
        for good in ["a@b", "demo@example.com", "ü@example.com"] {
            assert!(email(good).is_ok(), "{good}");
        }
        let long = format!("{}@example.com", "a".repeat(250));
        for bad in ["", "@", "a@", "@b", "a b@c", "a@b@c", "a@b\n", "a@\u{7f}", &long] {
            assert!(email(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_plan_and_an_id_say_what_would_be_right() {
        assert_eq!(plan("pro"), Ok(Plan::Pro));
        assert!(plan("gold").unwrap_err().contains("starter, pro, enterprise"));
        assert!(customer_id("7").is_err());
    }
}
