//! The forms that remove a person and change a role.

use crate::client::api::Refusal;
use crate::client::notice::Notice;
use crate::client::people;
use crate::client::session::{self, SignedIn};
use crate::kit::addresses::{SETTINGS, SIGN_IN};
use crate::kit::people::{name_of, with_role};
use crate::pages::kept_form::recent_first;
use crate::pages::layout;
use shared::assistants::sign_out_of_person;
use shared::domain::{PersonId, Role, TeamRefusal};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;

/// Removes the person of a form. Whoever removes themselves is signed out.
pub(crate) async fn remove(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let target = target(&form);
    let leaves = target.as_ref() == Some(&person.session.person);
    if !leaves && !person.may_change() {
        return Ok(layout::refused(request, person));
    }
    let Some(target) = target else { return Ok(refused(TeamRefusal::PersonUnknown, request)) };
    if !leaves && !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let (store, customer) = (&request.app.store, person.customer());
    let name = name_in(request, person, &target).await?;
    let removed = store.remove_member(customer, &person.session.person, &target, request.now).await?;
    // Also for one who is gone: the first request of a double click may have ended in between.
    let assistants = match removed {
        Ok(()) | Err(TeamRefusal::PersonUnknown) => sign_out_of_person(store, customer, &target, request.now).await?,
        Err(_) => 0,
    };
    match removed {
        Ok(()) if leaves => Ok(WebReply::see_other(SIGN_IN).with_cookie(session::removed_cookie())),
        Ok(()) => {
            let count = invitations_of(request, person, &target).await?;
            Ok(Notice::success(removal_words(&name, count, assistants)).then(SETTINGS))
        }
        // As by the first request of a double click.
        Err(TeamRefusal::PersonUnknown) => {
            Ok(Notice::success("This person does not belong to the account any more.").then(SETTINGS))
        }
        Err(refusal) => Ok(refused(refusal, request)),
    }
}

/// Gives the person of a form another role.
pub(crate) async fn set_role(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let role = value(&form, "role").and_then(Role::parse);
    let (Some(target), Some(role)) = (target(&form), role) else {
        return Ok(refused(TeamRefusal::PersonUnknown, request));
    };
    let set = request.app.store.set_role(person.customer(), &person.session.person, &target, role).await?;
    match set {
        Ok(()) => {
            // An assistant has the consent of a person who may change something. Also for one who only looks already: the
            // first request of a double click may have ended in between.
            let assistants = if role.may_change() {
                0
            } else {
                sign_out_of_person(&request.app.store, person.customer(), &target, request.now).await?
            };
            let name = name_in(request, person, &target).await?;
            let count = invitations_of(request, person, &target).await?;
            Ok(Notice::success(role_words(&name, role, count, assistants)).then(SETTINGS))
        }
        Err(refusal) => Ok(refused(refusal, request)),
    }
}

fn target(form: &[(String, String)]) -> Option<PersonId> {
    // A SHA-256 in hex: nothing else is a part of a key of the table.
    let is_id = |id: &&str| id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    value(form, "id").filter(is_id).map(|id| PersonId(id.to_owned()))
}

/// The name of a person of the account.
async fn name_in(request: &WebRequest, person: &SignedIn, target: &PersonId) -> Result<String, Error> {
    let people = people::all(request, person).await?;
    let named = people.iter().find(|one| one.id == *target).map(name_of);
    Ok(named.unwrap_or_else(|| "This person".to_owned()))
}

/// The number of open invitations that a person has made.
async fn invitations_of(request: &WebRequest, person: &SignedIn, target: &PersonId) -> Result<usize, Error> {
    let open = request.app.store.invitations(person.customer(), request.now).await?;
    Ok(open.iter().filter_map(|open| open.inviter.as_ref()).filter(|by| by.id == *target).count())
}

/// What a person with a role may do now, and by what a viewer still could change something.
fn role_words(name: &str, role: Role, invitations: usize, assistants: usize) -> String {
    let now = format!("{name} is {} now.", with_role(role));
    if role.may_change() {
        return now;
    }
    let now = format!(
        "{now} They see everything, and change nothing from their next click on. API keys that they know still work: \
         replace them under API keys."
    );
    let now = with_assistants(now, assistants);
    match invitations {
        0 => now,
        _ => format!("{now} An invitation of theirs is open: withdraw it below if it is not for somebody else."),
    }
}

fn removal_words(name: &str, invitations: usize, assistants: usize) -> String {
    let removed = format!(
        "{name} is removed and signed out everywhere. API keys that they know still work: replace them under API keys."
    );
    let removed = with_assistants(removed, assistants);
    match invitations {
        0 => removed,
        1 => format!("{removed} One invitation of theirs is open, with which they may come back: withdraw it below."),
        more => format!(
            "{removed} {more} invitations of theirs are open, with which they may come back: withdraw them below."
        ),
    }
}

/// The same words with the assistants that were signed out.
fn with_assistants(words: String, assistants: usize) -> String {
    match assistants {
        0 => words,
        1 => format!("{words} The assistant that they have connected is signed out, too."),
        more => format!("{words} The {more} assistants that they have connected are signed out, too."),
    }
}

fn refused(refusal: TeamRefusal, request: &WebRequest) -> WebReply {
    let (kind, message) = match refusal {
        TeamRefusal::AskerGone => (Kind::Forbidden, "You do not belong to this account any more."),
        TeamRefusal::PersonUnknown => (Kind::NotFound, "There is no such person in this account."),
        TeamRefusal::OwnersOnly => (Kind::Forbidden, "Only an owner changes roles and removes an owner."),
        TeamRefusal::OnlyLooks => (Kind::Forbidden, "You have view-only access."),
        TeamRefusal::LastOwner => {
            (Kind::Conflict, "An account has at least one owner. Make somebody else an owner first.")
        }
    };
    Notice::failure(Refusal::of(&Error::new(kind, message), request), &[]).then(SETTINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_digest_names_a_person() {
        let of = |id: &str| target(&[("id".to_owned(), id.to_owned())]).is_some();
        assert!(of(&"a1".repeat(32)));
        assert!(!of("") && !of(&"a1".repeat(31)) && !of(&"#x".repeat(32)) && target(&[]).is_none());
    }

    #[test]
    fn a_viewer_is_told_what_they_could_still_do() {
        assert_eq!(role_words("Ada", Role::Member, 1, 0), "Ada is a member now.");
        let viewer = role_words("Ada", Role::Viewer, 0, 0);
        assert!(viewer.starts_with("Ada is a viewer now.") && viewer.contains("API keys"), "{viewer}");
        assert!(!viewer.contains("assistant"), "{viewer}");
        assert!(role_words("Ada", Role::Viewer, 2, 0).contains("invitation of theirs"));
        assert!(role_words("Ada", Role::Viewer, 0, 1).contains("The assistant that they have connected is signed out"));
    }

    #[test]
    fn a_removal_names_the_ways_back() {
        let words = |invitations, assistants| removal_words("Ada", invitations, assistants);
        assert!(!words(0, 0).contains("invitation") && !words(0, 0).contains("assistant"));
        assert!(words(1, 0).contains("One invitation") && words(2, 0).contains("2 invitations"));
        assert!(words(0, 1).contains("The assistant that") && words(1, 2).contains("2 assistants"));
    }
}
