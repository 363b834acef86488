//! The filter of a list with pages. It stands in the address of the page, with the names of the API.

use shared::envelope::query::value;
use url::form_urlencoded::Serializer;

/// The choices in the address of a page.
#[derive(Clone)]
pub(crate) struct ListFilter {
    /// The address of the list without filters.
    page: String,
    /// Parameters that are not empty, as given.
    given: Vec<(&'static str, String)>,
    cursor: Option<String>,
}

impl ListFilter {
    /// Reads the query of a page. A form sends empty fields, too: they are no filters.
    pub(crate) fn read(page: impl Into<String>, names: &[&'static str], query: &[(String, String)]) -> ListFilter {
        let given = |name| value(query, name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let filters = names.iter().filter_map(|name| Some((*name, given(name)?))).collect();
        ListFilter { page: page.into(), given: filters, cursor: given("cursor") }
    }

    /// Whether the list leaves nothing out.
    pub(crate) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Whether the page begins with the newest.
    pub(crate) fn is_newest(&self) -> bool {
        self.cursor.is_none()
    }

    /// The value of a filter; empty without it.
    pub(crate) fn value(&self, name: &str) -> &str {
        self.given.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// This filter with another text for one of its values.
    pub(crate) fn with(&self, name: &str, text: impl Fn(&str) -> String) -> ListFilter {
        let mut changed = self.clone();
        for (_, value) in changed.given.iter_mut().filter(|(known, _)| *known == name) {
            *value = text(value);
        }
        changed
    }

    /// This filter with a value in place of the one that it has, or of none.
    pub(crate) fn replaced(mut self, name: &'static str, text: &str) -> ListFilter {
        self.given.retain(|(known, _)| *known != name);
        self.given.push((name, text.to_owned()));
        self
    }

    /// The request of the API for this page of a list.
    pub(crate) fn api_target(&self, list: &str, limit: usize) -> String {
        let mut query = Serializer::new(String::new());
        query.append_pair("limit", &limit.to_string()).extend_pairs(&self.given);
        query.extend_pairs(self.cursor.iter().map(|cursor| ("cursor", cursor)));
        format!("{list}?{}", query.finish())
    }

    /// The first page of the list without one of the filters.
    pub(crate) fn newest_without(&self, name: &str) -> String {
        let given = self.given.iter().filter(|(known, _)| *known != name).cloned().collect();
        ListFilter { page: self.page.clone(), given, cursor: None }.newest()
    }

    /// The same filter, from its first page on.
    pub(crate) fn without_cursor(self) -> ListFilter {
        ListFilter { cursor: None, ..self }
    }

    /// The same filter after a cursor.
    pub(crate) fn after(&self, cursor: &str) -> ListFilter {
        ListFilter { cursor: Some(cursor.to_owned()), ..self.clone() }
    }

    /// Another address with the first page of the filter.
    pub(crate) fn on(&self, page: &str) -> String {
        ListFilter { page: page.to_owned(), given: self.given.clone(), cursor: None }.newest()
    }

    /// The page after a cursor.
    pub(crate) fn older(&self, cursor: &str) -> String {
        self.newest_with(Some(("cursor", cursor)))
    }

    /// This page.
    pub(crate) fn path(&self) -> String {
        self.newest_with(self.cursor.as_deref().map(|cursor| ("cursor", cursor)))
    }

    /// The first page of the filter.
    pub(crate) fn newest(&self) -> String {
        self.newest_with(None)
    }

    /// The first page of the filter with one more parameter.
    pub(crate) fn newest_with(&self, more: Option<(&str, &str)>) -> String {
        let mut query = Serializer::new(String::new());
        let query = query.extend_pairs(&self.given).extend_pairs(more).finish();
        let separator = if self.page.contains('?') { '&' } else { '?' };
        if query.is_empty() { self.page.clone() } else { format!("{}{separator}{query}", self.page) }
    }
}
