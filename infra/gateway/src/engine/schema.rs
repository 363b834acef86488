//! The one table, with the keys, the indexes and the expiry of `template.yaml`.

use dynoxide::actions::create_table::CreateTableRequest;
use dynoxide::actions::describe_table::DescribeTableRequest;
use dynoxide::actions::update_table::{CreateGsiAction, GlobalSecondaryIndexUpdate, UpdateTableRequest};
use dynoxide::actions::update_time_to_live::{TimeToLiveSpecification, UpdateTimeToLiveRequest};
use dynoxide::types::{
    AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType,
};
use dynoxide::{Database, DynoxideError};
use shared::store::table_keys;

/// The name of the table.
pub const TABLE: &str = "unified-ads";

/// Creates the table unless it exists, and the indexes that one of an earlier release lacks. Sets its expiry every time:
/// an earlier process may have crashed in between.
pub fn create_table(database: &Database) -> Result<(), DynoxideError> {
    let created = database.create_table(CreateTableRequest {
        table_name: TABLE.to_owned(),
        key_schema: vec![key(table_keys::PARTITION, KeyType::HASH), key(table_keys::SORT, KeyType::RANGE)],
        attribute_definitions: attributes(),
        global_secondary_indexes: Some(indexes()),
        billing_mode: Some("PAY_PER_REQUEST".to_owned()),
        ..CreateTableRequest::default()
    });
    match created {
        Ok(_) => {}
        Err(DynoxideError::ResourceInUseException(_)) => add_missing_indexes(database)?,
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

fn indexes() -> Vec<GlobalSecondaryIndex> {
    vec![
        index(table_keys::DUE_INDEX, table_keys::DUE_KIND, table_keys::DUE_AT),
        index(table_keys::CAMPAIGN_INDEX, table_keys::CAMPAIGN_KEY, table_keys::SORT),
        index(table_keys::OPEN_INDEX, table_keys::OPEN_KEY, table_keys::OPEN_SORT),
        index(table_keys::REFERENCE_INDEX, table_keys::REFERENCE_KEY, table_keys::SORT),
        index(table_keys::IDEMPOTENCY_INDEX, table_keys::IDEMPOTENCY_KEY, table_keys::SORT),
        index(table_keys::USER_INDEX, table_keys::USER_KEY, table_keys::SORT),
    ]
}

/// Adds the indexes that the table lacks, one in an update as DynamoDB does.
fn add_missing_indexes(database: &Database) -> Result<(), DynoxideError> {
    let described = database.describe_table(DescribeTableRequest { table_name: TABLE.to_owned() })?;
    let known = described.table.global_secondary_indexes.unwrap_or_default();
    let missing = |index: &GlobalSecondaryIndex| !known.iter().any(|known| known.index_name == index.index_name);
    for GlobalSecondaryIndex { index_name, key_schema, projection, .. } in indexes().into_iter().filter(missing) {
        let create = Some(CreateGsiAction { index_name, key_schema, projection });
        database.update_table(UpdateTableRequest {
            table_name: TABLE.to_owned(),
            attribute_definitions: Some(attributes()),
            global_secondary_index_updates: Some(vec![GlobalSecondaryIndexUpdate {
                create,
                ..GlobalSecondaryIndexUpdate::default()
            }]),
            ..UpdateTableRequest::default()
        })?;
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::respond;
    use serde_json::{Value, json};

    #[test]
    fn a_table_of_an_earlier_release_gets_the_indexes_that_it_lacks() {
        let database = Database::memory().unwrap();
        let (few, names) = (indexes().into_iter().take(3).collect::<Vec<_>>(), ["reference", "idempotency", "user"]);
        let known = [table_keys::PARTITION, table_keys::SORT];
        let of_few = |attribute: &AttributeDefinition| {
            let of_index = few.iter().flat_map(|index| &index.key_schema);
            known.contains(&attribute.attribute_name.as_str())
                || of_index.into_iter().any(|key| key.attribute_name == attribute.attribute_name)
        };
        let earlier = CreateTableRequest {
            table_name: TABLE.to_owned(),
            key_schema: vec![key(table_keys::PARTITION, KeyType::HASH), key(table_keys::SORT, KeyType::RANGE)],
            attribute_definitions: attributes().into_iter().filter(of_few).collect(),
            global_secondary_indexes: Some(few.clone()),
            billing_mode: Some("PAY_PER_REQUEST".to_owned()),
            ..CreateTableRequest::default()
        };
        database.create_table(earlier).unwrap();
        let item = json!({"pk": {"S": "p"}, "sk": {"S": "s"}, "reference_key": {"S": "r"},
            "idempotency_key": {"S": "r"}, "user_key": {"S": "r"}});
        let put = json!({"TableName": TABLE, "Item": item}).to_string();
        assert_eq!(respond(&database, "PutItem", put.as_bytes()).0, 200);
        for _ in 0..2 {
            create_table(&database).unwrap();
            for name in names {
                let query = json!({"TableName": TABLE, "IndexName": name, "KeyConditionExpression": "#key = :key",
                    "ExpressionAttributeNames": {"#key": format!("{name}_key")},
                    "ExpressionAttributeValues": {":key": {"S": "r"}}});
                let (status, body) = respond(&database, "Query", query.to_string().as_bytes());
                let body: Value = serde_json::from_str(&body).unwrap();
                assert_eq!((status, &body["Count"]), (200, &json!(1)), "{name}: {body}");
            }
        }
    }
}
