//! The assumptions about DynamoDB and Secrets Manager, tested on the engines of the gateway and on emulators by other
//! authors.
//!
//! `CONTRACT_DYNAMODB` and `CONTRACT_SECRETS` are the addresses of those emulators; `tests/deployed/run` starts them.

mod changes;
mod overview;
mod people;
mod secrets;
mod store;

use crate::world::World;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType,
};
use shared::app::Aws;
use shared::store::{Store, table_keys};
use std::env;
use uuid::Uuid;

/// The available engines.
struct Engines {
    world: World,
    /// One table in each engine, and the engine's name.
    stores: Vec<(&'static str, Store)>,
}

impl Engines {
    async fn start() -> Engines {
        let world = World::start().await;
        let mut stores = vec![("the embedded engine", world.gateway.app.store.clone())];
        if let Ok(endpoint) = env::var("CONTRACT_DYNAMODB") {
            let aws = Aws { dynamodb_endpoint: Some(endpoint), ..elsewhere(&world) };
            stores.push(("the other engine", Store::new(aws.dynamodb_client(), table_in(&aws).await)));
        }
        Engines { world, stores }
    }
}

/// Credentials for the emulators.
fn elsewhere(world: &World) -> Aws {
    let id = |name: &str| env::var(name).unwrap_or_else(|_| "test".to_owned());
    let (id, secret) = (id("AWS_ACCESS_KEY_ID"), id("AWS_SECRET_ACCESS_KEY"));
    let credentials = aws_sdk_dynamodb::config::Credentials::new(id, secret, None, None, "contract");
    Aws { credentials, ..world.gateway.config.aws.clone() }
}

/// A new table with the keys of the template, and the indexes that these tests read.
async fn table_in(aws: &Aws) -> String {
    let name = format!("contract-{}", Uuid::new_v4());
    let attribute = |name: &str, kind| {
        AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build().expect("an attribute")
    };
    let key =
        |name: &str, kind| KeySchemaElement::builder().attribute_name(name).key_type(kind).build().expect("a key");
    let index = |name: &str, hash: &str, range: &str| {
        let index = GlobalSecondaryIndex::builder()
            .index_name(name)
            .key_schema(key(hash, KeyType::Hash))
            .key_schema(key(range, KeyType::Range))
            .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build());
        index.build().expect("an index")
    };
    let table = aws.dynamodb_client().create_table().table_name(&name).billing_mode(BillingMode::PayPerRequest);
    let table = table
        .attribute_definitions(attribute(table_keys::PARTITION, ScalarAttributeType::S))
        .attribute_definitions(attribute(table_keys::SORT, ScalarAttributeType::S))
        .attribute_definitions(attribute(table_keys::DUE_KIND, ScalarAttributeType::S))
        .attribute_definitions(attribute(table_keys::DUE_AT, ScalarAttributeType::N))
        .attribute_definitions(attribute(table_keys::OPEN_KEY, ScalarAttributeType::S))
        .attribute_definitions(attribute(table_keys::OPEN_SORT, ScalarAttributeType::S))
        .key_schema(key(table_keys::PARTITION, KeyType::Hash))
        .key_schema(key(table_keys::SORT, KeyType::Range))
        .global_secondary_indexes(index(table_keys::DUE_INDEX, table_keys::DUE_KIND, table_keys::DUE_AT))
        .global_secondary_indexes(index(table_keys::OPEN_INDEX, table_keys::OPEN_KEY, table_keys::OPEN_SORT));
    table.send().await.expect("a table");
    name
}
