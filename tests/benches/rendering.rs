//! Rendering: a page of 100 campaigns and an error, in both shapes.

use crate::figures::Figures;
use crate::translation::{PAGE, a_list};
use jiff::Timestamp;
use shared::domain::Platform;
use shared::envelope::{CampaignList, RenderContext, Reply, Shape, render};
use shared::error::{Error, FieldError};
use tokio::runtime::Runtime;
use uuid::Uuid;

pub(crate) fn bench(figures: &mut Figures, runtime: &Runtime) {
    let (_, page) = runtime.block_on(a_list(Platform::Alpha));
    let list = CampaignList { campaigns: page.rows, next_cursor: None, failures: Vec::new() };
    let list = Ok(Reply::Campaigns(list));
    let fault = |field: &str| FieldError { field: field.to_owned(), message: "must be a positive number".to_owned() };
    let error = Err(Error::fields(vec![fault("budget_amount"), fault("name")]));
    for (shape, word) in [(Shape::Flat, "flat"), (Shape::Enveloped, "enveloped")] {
        let request_id = Uuid::from_u128(1);
        let context = RenderContext {
            request_id,
            shape,
            has_two_shapes: true,
            now: Timestamp::UNIX_EPOCH,
            is_https: true,
            allowance: None,
        };
        figures.measure(&format!("rendering/list of {PAGE}/{word}"), || render(&list, &context));
        figures.measure(&format!("rendering/error/{word}"), || render(&error, &context));
    }
}
