//! Conditional writes: a condition that does not hold is an outcome, not an error.

use super::{Item, store_error};
use crate::error::Error;
use aws_sdk_dynamodb::operation::delete_item::DeleteItemError;
use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemFluentBuilder;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::ReturnValue;

/// Sends a conditional update. `false` when its condition does not hold.
pub(super) async fn conditional_update(update: UpdateItemFluentBuilder) -> Result<bool, Error> {
    match update.send().await {
        Ok(_) => Ok(true),
        Err(error) if error.as_service_error().and_then(condition_failure).is_some() => Ok(false),
        Err(error) => Err(store_error(error)),
    }
}

/// Sends a conditional put. `false` when its condition does not hold.
pub(super) async fn conditional_put(put: PutItemFluentBuilder) -> Result<bool, Error> {
    match put.send().await {
        Ok(_) => Ok(true),
        Err(error) if error.as_service_error().is_some_and(PutItemError::is_conditional_check_failed_exception) => {
            Ok(false)
        }
        Err(error) => Err(store_error(error)),
    }
}

/// Sends a conditional delete and returns the deleted item. `None` when its condition does not hold.
pub(super) async fn conditional_delete(delete: DeleteItemFluentBuilder) -> Result<Option<Item>, Error> {
    match delete.return_values(ReturnValue::AllOld).send().await {
        Ok(output) => Ok(output.attributes),
        Err(error) if error.as_service_error().is_some_and(DeleteItemError::is_conditional_check_failed_exception) => {
            Ok(None)
        }
        Err(error) => Err(store_error(error)),
    }
}

/// The failed condition of an update, with the item as it is if the update asked for it.
pub(super) fn condition_failure(error: &UpdateItemError) -> Option<Option<&Item>> {
    match error {
        UpdateItemError::ConditionalCheckFailedException(failure) => Some(failure.item()),
        _ => None,
    }
}
