//! The fields of a form.

/// Those of these names, in the order of the form.
pub(crate) fn pick(form: &[(String, String)], names: &[&str]) -> Vec<(String, String)> {
    form.iter().filter(|(name, _)| names.contains(&name.as_str())).cloned().collect()
}

/// A form with these fields.
#[cfg(test)]
pub(crate) fn form(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
