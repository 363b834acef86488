//! The outcome of a create that some ad accounts have made and others refused: green for the first, amber for the others.

use crate::client::notice::Notice;
use crate::kit::addresses;
use crate::kit::form_errors::{Detail, FormError};

/// What became of the form in each ad account.
pub(super) struct PartialOutcome {
    pub(super) message: String,
    /// The accounts in which the campaign is, and what is said of each.
    pub(super) created: Vec<(String, String)>,
    /// The accounts that have refused it. The form below has them.
    pub(super) refused: Vec<FormError>,
    /// The pages of the campaigns, and the words of the links.
    pub(super) campaigns: Vec<(String, String)>,
}

impl PartialOutcome {
    /// Takes the notice of such a create out of the frame of the page, which would show all of it as a failure.
    pub(super) fn take(waiting: &mut Option<Notice>) -> Option<PartialOutcome> {
        let is_partial =
            |notice: &mut Notice| !notice.is_success && !notice.campaigns.is_empty() && !notice.errors.is_empty();
        let Notice { message, errors, details, campaigns, .. } = waiting.take_if(is_partial)?;
        let link = |(id, words): (String, String)| (addresses::campaign(&id), words);
        let created = |Detail { field, message }: Detail| (field, message);
        Some(PartialOutcome {
            message,
            created: details.into_iter().map(created).collect(),
            refused: errors,
            campaigns: campaigns.into_iter().map(link).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_create_that_is_made_in_part_is_taken_out_of_the_frame() {
        let errors = vec![FormError::new("targets.BETA:2", "Too low.")];
        let campaigns = vec![("alpha_1_7".to_owned(), "Open it in Google Ads: 1".to_owned())];
        let mut refused = Some(Notice { errors: errors.clone(), ..Notice::default() });
        assert!(PartialOutcome::take(&mut refused).is_none() && refused.is_some());
        let mut partial = Some(Notice { errors, campaigns, ..Notice::default() });
        let taken = PartialOutcome::take(&mut partial).unwrap();
        assert_eq!(taken.campaigns[0].0, "/dashboard/campaigns/one?id=alpha_1_7");
        assert_eq!((taken.refused.len(), partial.is_none()), (1, true));
    }
}
