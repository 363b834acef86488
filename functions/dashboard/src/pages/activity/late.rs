//! Scheduled changes that wait although their time is over.

use crate::changes::{Row, first_rows};
use crate::session::SignedIn;
use shared::domain::ChangeStatus;
use shared::error::Error;
use shared::serve::WebRequest;

/// The first late changes, and how many more there are.
pub(crate) async fn late(request: &WebRequest, person: &SignedIn, most: usize) -> Result<(Vec<Row>, usize), Error> {
    let ids = request.app.store.late_changes(person.customer()).await?;
    first_rows(request, person, &ids, ChangeStatus::Scheduled, most).await
}
