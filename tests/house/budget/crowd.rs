//! Many users of one customer: copies of what the table has of one of them, so that 10,000 are there in seconds.

use crate::in_process::engine::{TABLE, items};
use dynoxide::{Database, ImportOptions, Item};
use serde_json::{Value, json};

/// The name of the user that is copied. Its last digits are the number of a copy.
pub(super) const COPIED: &str = "user00000";
/// Digits of the number of a copy.
const DIGITS: usize = 5;
/// The records of a user, by the beginning of their sort keys. The tokens of a copy are those of the copied user.
const RECORDS: [&str; 6] = ["LINK#CONNECTION#", "CONNECTION_ID#", "EXTERNAL_REF#", "LIMIT#USER#", "USER#", "CHANGE#"];

/// Adds copies of the records of [`COPIED`] to a small table, each with names of its own.
pub(super) fn copy_user(database: &Database, copies: usize) {
    let records: Vec<Value> = items(database).into_iter().filter(is_of_a_user).collect();
    let names = names(&records);
    let texts: Vec<String> = records.iter().map(Value::to_string).collect();
    let texts: Vec<&String> = texts.iter().filter(|text| names.iter().any(|name| text.contains(name))).collect();
    let connections = names.iter().filter(|name| name.starts_with("conn_")).count();
    let copied =
        (1..=copies).flat_map(|number| texts.iter().map(|text| copy(text, &names, number)).collect::<Vec<_>>());
    database.import_items(TABLE, copied.collect(), ImportOptions::default()).expect("a write");
    let account = records.first().expect("a record")["pk"].clone();
    add_connections(database, &account, copies * connections);
}

fn is_of_a_user(item: &Value) -> bool {
    let key = item["sk"]["S"].as_str().expect("a key");
    RECORDS.iter().any(|prefix| key.starts_with(prefix))
}

/// What the records of the copied user are called: its name, and the ids of its connections, ad accounts and changes.
fn names(records: &[Value]) -> Vec<String> {
    let text = |value: &Value| value["S"].as_str().map(str::to_owned);
    let is_own = |item: &&Value| item["external_ref"]["S"] == COPIED;
    let own = || records.iter().filter(is_own);
    let connections = own().filter_map(|item| text(&item["id"]));
    let accounts = own().filter_map(|item| text(&item["account"]["M"]["id"]));
    let changes = own().filter_map(|item| text(&item["sk"])?.strip_prefix("CHANGE#").map(str::to_owned));
    let mut names: Vec<String> = connections.chain(accounts).chain(changes).chain([COPIED.to_owned()]).collect();
    names.sort();
    names.dedup();
    names
}

fn copy(text: &str, names: &[String], number: usize) -> Item {
    let copied = names.iter().fold(text.to_owned(), |text, name| text.replace(name.as_str(), &numbered(name, number)));
    serde_json::from_str(&copied).expect("an item")
}

/// A name of the same length with the number of a copy. No ad account of the sandbox begins with a 9.
fn numbered(name: &str, number: usize) -> String {
    let kept = &name[..name.len() - DIGITS];
    let kept =
        if name.bytes().all(|byte| byte.is_ascii_digit()) { format!("9{}", &kept[1..]) } else { kept.to_owned() };
    format!("{kept}{number:0DIGITS$}")
}

/// The account counts its connections.
fn add_connections(database: &Database, customer: &Value, count: usize) {
    let update = json!({"TableName": TABLE, "Key": {"pk": customer, "sk": {"S": "ACCOUNT"}},
        "UpdateExpression": "ADD connections_count :count",
        "ExpressionAttributeValues": {":count": {"N": count.to_string()}}});
    database.update_item(serde_json::from_value(update).expect("a request")).expect("a write");
}
