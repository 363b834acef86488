//! The people of the account, as a part of the settings: the list, and the open invitations.

mod actions;
mod invite;

use crate::client::notice::Notice;
use crate::client::people::owners_to_ask;
use crate::client::session::SignedIn;
use crate::kit::people::{name, name_of, role_meaning, role_word, with_role};
use crate::kit::text::readable;
use crate::pages::layout::Layout;
pub(crate) use actions::{remove, set_role};
pub(crate) use invite::{INVITE_FIELDS, invite, withdraw};
use jiff::Timestamp;
use secrecy::SecretString;
use shared::domain::{Invitation, Person, Role, Session};
use shared::error::Error;
use shared::serve::WebRequest;
use uuid::Uuid;

/// The part of the page.
pub(crate) struct People {
    pub(crate) rows: Vec<PersonRow>,
    pub(crate) invitations: Vec<InvitationRow>,
    /// The link of an invitation that was just made, shown once.
    pub(crate) link: Option<SecretString>,
    /// For whom an invitation is, and the role that is chosen, in its form.
    pub(crate) invitee: String,
    pub(crate) chosen_role: &'static str,
    /// Most characters of the former.
    pub(crate) most: usize,
    /// Makes a double click or a reload invite once.
    pub(crate) form_key: String,
    /// The role of the person who looks: `an owner`.
    pub(crate) role: &'static str,
    /// Each role: its name in a form, its word, and what it does.
    pub(crate) roles: Vec<(&'static str, &'static str, &'static str)>,
    /// Whom a viewer asks for another role; `None` for others.
    pub(crate) ask: Option<String>,
}

/// A person in the list.
pub(crate) struct PersonRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) is_you: bool,
    pub(crate) role: &'static str,
    pub(crate) joined_at: String,
    pub(crate) signed_in_at: String,
    /// The last request of a session that has not ended, if it is later.
    pub(crate) seen_at: Option<String>,
    /// The roles that the form gives, and their buttons; empty if the role may not be changed.
    pub(crate) other_roles: Vec<(&'static str, &'static str)>,
    /// Whether the person who looks may remove this one, or leave.
    pub(crate) is_removable: bool,
}

/// An open invitation in the list.
pub(crate) struct InvitationRow {
    pub(crate) hash: String,
    /// For whom it is; a dash if who invites did not say so.
    pub(crate) invitee: String,
    pub(crate) by: String,
    pub(crate) role: &'static str,
    pub(crate) made_at: String,
    pub(crate) ends_at: String,
}

/// The people and the invitations as read.
pub(crate) struct Team<'a> {
    viewer: &'a SignedIn,
    invitations: Vec<Invitation>,
    link: Option<SecretString>,
    begun: (String, &'static str),
}

/// Leads from a notice about the form of invitations to the form, which is far below it.
pub(crate) fn lead_to_form(layout: &mut Layout) {
    let is_of_form = |notice: &&mut Notice| !notice.is_success && invite::is_begun(&notice.values);
    if let Some(notice) = layout.notice.as_mut().filter(is_of_form) {
        notice.link = Some(("#invite".to_owned(), "To the invitation".to_owned()));
    }
}

/// Reads the people and the open invitations.
pub(crate) async fn read<'a>(request: &WebRequest, viewer: &'a SignedIn, layout: &Layout) -> Result<Team<'a>, Error> {
    let invitations = request.app.store.invitations(viewer.customer(), request.now).await?;
    let (link, begun) = (invite::shown_link(layout), invite::begun(layout));
    Ok(Team { viewer, invitations, link, begun })
}

impl Team<'_> {
    /// The part of the page. The sessions of all people show when they were last seen.
    pub(crate) fn with_sessions(self, sessions: &[Session]) -> People {
        let Team { viewer, invitations, link, begun: (invitee, chosen_role) } = self;
        let (people, role) = (&viewer.people, viewer.role);
        let owners = people.iter().filter(|one| one.is_owner()).count();
        People {
            rows: people.iter().map(|one| row(one, viewer, role, owners, sessions)).collect(),
            invitations: invitations.into_iter().map(invitation_row).collect(),
            link,
            invitee,
            chosen_role,
            most: Invitation::MAX_INVITEE,
            form_key: Uuid::new_v4().to_string(),
            role: with_role(role),
            roles: Role::ALL.map(|one| (one.as_str(), role_word(one), role_meaning(one))).into(),
            ask: owners_to_ask(viewer).filter(|_| !role.may_change()),
        }
    }
}

/// The row of a person, for a viewer with a role.
fn row(person: &Person, viewer: &SignedIn, role: Role, owners: usize, sessions: &[Session]) -> PersonRow {
    let is_you = person.id == viewer.session.person;
    let is_last_owner = person.is_owner() && owners == 1;
    let is_below = role == Role::Owner || (role.may_change() && !person.is_owner());
    let others = Role::ALL.into_iter().filter(|other| *other != person.role);
    let changes_roles = role == Role::Owner && !is_last_owner;
    PersonRow {
        id: person.id.0.clone(),
        name: name_of(person),
        is_you,
        role: role_word(person.role),
        joined_at: readable(person.joined_at),
        signed_in_at: readable(signed_in_at(person)),
        seen_at: seen_at(person, sessions).map(readable),
        other_roles: others.filter(|_| changes_roles).map(|other| (other.as_str(), role_button(other))).collect(),
        is_removable: (is_you || is_below) && !is_last_owner,
    }
}

fn role_button(role: Role) -> &'static str {
    match role {
        Role::Owner => "Make an owner",
        Role::Member => "Make a member",
        Role::Viewer => "Make a viewer",
    }
}

/// The last sign-in that is known: who joined signed in for that.
fn signed_in_at(person: &Person) -> Timestamp {
    person.signed_in_at.unwrap_or(person.joined_at)
}

/// The last request of a session that has not ended, if it was in a later minute than the last sign-in.
fn seen_at(person: &Person, sessions: &[Session]) -> Option<Timestamp> {
    let own = sessions.iter().filter(|session| session.person == person.id).map(|session| session.seen_at);
    own.max().filter(|seen| seen.duration_since(signed_in_at(person)).as_mins() > 0)
}

fn invitation_row(invitation: Invitation) -> InvitationRow {
    let by = invitation.inviter.as_ref().map(|by| name(by.email.as_deref(), &by.id));
    InvitationRow {
        ends_at: readable(invitation.expires_at()),
        invitee: invitation.invitee.unwrap_or_else(|| "–".to_owned()),
        by: by.unwrap_or_else(|| "The operator of this service".to_owned()),
        role: role_word(invitation.role),
        made_at: readable(invitation.created_at),
        hash: invitation.hash,
    }
}
