//! The one table, with the keys, the index and the expiry of `template.yaml`.

use dynoxide::actions::create_table::CreateTableRequest;
use dynoxide::actions::update_time_to_live::{TimeToLiveSpecification, UpdateTimeToLiveRequest};
use dynoxide::types::{
    AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType,
};
use dynoxide::{Database, DynoxideError};
use shared::store::table_keys;

/// The name of the table.
pub const TABLE: &str = "unified-ads";

/// Creates the table unless it exists. Sets its expiry every time: an earlier process may have crashed in between.
pub fn create_table(database: &Database) -> Result<(), DynoxideError> {
    let created = database.create_table(CreateTableRequest {
        table_name: TABLE.to_owned(),
        key_schema: vec![key(table_keys::PARTITION, KeyType::HASH), key(table_keys::SORT, KeyType::RANGE)],
        attribute_definitions: attributes(),
        global_secondary_indexes: Some(vec![
            index(table_keys::DUE_INDEX, table_keys::DUE_KIND, table_keys::DUE_AT),
            index(table_keys::CAMPAIGN_INDEX, table_keys::CAMPAIGN_KEY, table_keys::SORT),
            index(table_keys::OPEN_INDEX, table_keys::OPEN_KEY, table_keys::OPEN_SORT),
            index(table_keys::REFERENCE_INDEX, table_keys::REFERENCE_KEY, table_keys::SORT),
            index(table_keys::IDEMPOTENCY_INDEX, table_keys::IDEMPOTENCY_KEY, table_keys::SORT),
            index(table_keys::USER_INDEX, table_keys::USER_KEY, table_keys::SORT),
        ]),
        billing_mode: Some("PAY_PER_REQUEST".to_owned()),
        ..CreateTableRequest::default()
    });
    match created {
        Ok(_) | Err(DynoxideError::ResourceInUseException(_)) => {}
        Err(error) => return Err(error),
    }
    database.update_time_to_live(UpdateTimeToLiveRequest {
        table_name: TABLE.to_owned(),
        time_to_live_specification: TimeToLiveSpecification {
            attribute_name: table_keys::EXPIRES_AT.to_owned(),
            enabled: true,
        },
    })?;
    Ok(())
}

fn attributes() -> Vec<AttributeDefinition> {
    let attribute =
        |name: &str, attribute_type| AttributeDefinition { attribute_name: name.to_owned(), attribute_type };
    vec![
        attribute(table_keys::PARTITION, ScalarAttributeType::S),
        attribute(table_keys::SORT, ScalarAttributeType::S),
        attribute(table_keys::CAMPAIGN_KEY, ScalarAttributeType::S),
        attribute(table_keys::OPEN_KEY, ScalarAttributeType::S),
        attribute(table_keys::OPEN_SORT, ScalarAttributeType::S),
        attribute(table_keys::REFERENCE_KEY, ScalarAttributeType::S),
        attribute(table_keys::IDEMPOTENCY_KEY, ScalarAttributeType::S),
        attribute(table_keys::USER_KEY, ScalarAttributeType::S),
        attribute(table_keys::DUE_KIND, ScalarAttributeType::S),
        attribute(table_keys::DUE_AT, ScalarAttributeType::N),
    ]
}

/// An index of keys.
fn index(name: &str, hash: &str, range: &str) -> GlobalSecondaryIndex {
    GlobalSecondaryIndex {
        index_name: name.to_owned(),
        key_schema: vec![key(hash, KeyType::HASH), key(range, KeyType::RANGE)],
        projection: Projection { projection_type: Some(ProjectionType::KEYS_ONLY), ..Projection::default() },
        provisioned_throughput: None,
    }
}

fn key(name: &str, key_type: KeyType) -> KeySchemaElement {
    KeySchemaElement { attribute_name: name.to_owned(), key_type }
}
