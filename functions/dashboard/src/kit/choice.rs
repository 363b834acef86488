//! Options of select fields and radio groups.

/// An option.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) text: String,
    pub(crate) is_chosen: bool,
}

/// The options of a field, from values and what they say.
pub(crate) fn choices(known: &[(&str, &str)], chosen: &str) -> Vec<Choice> {
    let choice = |(value, text): &(&str, &str)| Choice {
        value: (*value).to_owned(),
        text: (*text).to_owned(),
        is_chosen: *value == chosen,
    };
    known.iter().map(choice).collect()
}

/// The same. A value that is not among them is one more, so that the form shows the filter in force.
pub(crate) fn choices_in_force(known: &[(&str, &str)], chosen: &str) -> Vec<Choice> {
    let mut all = choices(known, chosen);
    if !all.iter().any(|choice| choice.is_chosen) {
        all.extend(choices(&[(chosen, chosen)], chosen));
    }
    all
}
