//! The pause of a user (D158): from then on nothing is activated or raised in its connections, and each campaign that runs
//! there gets a change that pauses it, by a bulk change at once and another one later.

use super::failure::change_error;
use crate::concurrent::for_each;
use crate::domain::users::{PauseProgress, User, UserPause};
use crate::domain::{
    BulkAccount, BulkId, Change, ChangeError, ChangeState, Connection, CustomerId, ExternalRef, Listing, Reason,
    Requester,
};
use crate::error::{Error, Kind};
use crate::store::Store;
use jiff::Timestamp;

/// Pauses a user in these connections. If it is paused already, the same pause goes on, unless something of it was refused:
/// then another one begins. The bulk changes are stored first: a pause that is cut off before it holds is asked for again.
pub async fn pause_user(
    store: &Store,
    customer: CustomerId,
    name: &ExternalRef,
    connections: &[Connection],
    by: &Requester,
    now: Timestamp,
) -> Result<User, Error> {
    let (_, known) = store.user(customer, name).await?;
    if let Some(pause) = known.pause(customer)
        && !pause_progress(store, &pause, now).await?.is_refused
    {
        return Ok(known);
    }
    begin_pause(store, customer, &known, connections, by, now).await
}

/// Begins a new pause of a user in these connections, in place of one that it has.
pub(super) async fn begin_pause(
    store: &Store,
    customer: CustomerId,
    known: &User,
    connections: &[Connection],
    by: &Requester,
    now: Timestamp,
) -> Result<User, Error> {
    let name = &known.external_ref;
    // The ids of changes have whole milliseconds.
    let paused_at = Timestamp::from_millisecond(now.as_millisecond()).map_err(Error::internal)?;
    let pause = UserPause { customer, user: name.clone(), paused_at };
    let accounts = connections.iter().flat_map(|connection| pause.accounts(connection, by)).collect();
    for_each(accounts, |(account, due_at): (BulkAccount, Timestamp)| async move {
        store.put_bulk_account(&account, due_at).await
    })
    .await?;
    store.pause_user(customer, name, known.paused_at(), paused_at).await
}

/// How far a pause is.
pub async fn pause_progress(store: &Store, pause: &UserPause, now: Timestamp) -> Result<PauseProgress, Error> {
    let (accounts, changes) = stored(store, pause, now).await?;
    Ok(pause.progress(&accounts, &changes))
}

async fn stored(store: &Store, pause: &UserPause, now: Timestamp) -> Result<(Vec<BulkAccount>, Vec<Change>), Error> {
    let [(first, _), (second, _)] = pause.rounds();
    let read = |bulk| store.bulk_accounts(pause.customer, bulk, now);
    let (first, second) = tokio::join!(read(first), read(second));
    let accounts: Vec<BulkAccount> = first?.into_iter().chain(second?).collect();
    let ids: Vec<_> = accounts.iter().flat_map(|account| account.changes.clone()).collect();
    let changes = store.changes_by_id(pause.customer, &ids, now).await?;
    Ok((accounts, changes))
}

/// Resumes a user. What is paused stays paused; what of the pause is still tried ends. Refused until the campaigns were
/// looked at for the second time, because that would pause what is activated before.
pub async fn resume_user(
    store: &Store,
    customer: CustomerId,
    name: &ExternalRef,
    now: Timestamp,
) -> Result<User, Error> {
    let (_, known) = store.user(customer, name).await?;
    let Some(pause) = known.pause(customer) else { return Ok(known) };
    let (accounts, changes) = stored(store, &pause, now).await?;
    let is_unread = accounts.iter().any(|account| account.listing == Listing::Pending(None));
    if is_unread || now < pause.second_at() {
        let message = "What this user had in flight is looked at once more. Resume it in a minute or two.";
        return Err(Error::new(Kind::Conflict, message).retryable());
    }
    let resumed = &resumed();
    for account in accounts.into_iter().filter(|account| account.listing != Listing::Listed) {
        let ended = BulkAccount { listing: Listing::Failed(resumed.clone()), ..account };
        store.put_bulk_account(&ended, now).await?;
    }
    let canceled = &ChangeState::Canceled(Some(resumed.clone()));
    for_each(changes.into_iter().filter(Change::is_open).collect(), |change: Change| async move {
        store.end_waiting(&change, canceled, now).await
    })
    .await?;
    store.resume_user(customer, name, pause.paused_at, now).await
}

/// Refuses to cancel or to undo what belongs to a pause of a user that holds: only its end does that.
pub async fn require_not_of_user_pause(
    store: &Store,
    customer: CustomerId,
    user: Option<&ExternalRef>,
    bulk: BulkId,
) -> Result<(), Error> {
    let Some(user) = user else { return Ok(()) };
    if !is_of_user_pause(store, customer, user, bulk).await? {
        return Ok(());
    }
    let message = format!(
        "This belongs to the pause of the user {user}. POST /v1/users/{user}/resume ends the pause; what is paused stays \
         paused."
    );
    Err(Error::new(Kind::Forbidden, message).because(Reason::UserPaused))
}

/// Whether a bulk change belongs to a pause of a user that holds.
pub(super) async fn is_of_user_pause(
    store: &Store,
    customer: CustomerId,
    user: &ExternalRef,
    bulk: BulkId,
) -> Result<bool, Error> {
    let (_, known) = store.user(customer, user).await?;
    Ok(known.pause(customer).is_some_and(|pause| pause.includes(bulk)))
}

/// Why a pause that is still tried ends.
fn resumed() -> ChangeError {
    change_error(&Error::new(Kind::Conflict, "The user was resumed.").because(Reason::Superseded))
}
