//! Tables as CSV (RFC 4180), to be opened in a spreadsheet.

use jiff::Timestamp;
use shared::envelope::WebReply;

/// Most rows of a file.
pub(crate) const MAX_ROWS: usize = 10_000;
/// Entries of a page of the API: as many as it gives.
pub(crate) const PAGE_SIZE: usize = 100;
/// A spreadsheet takes a text that begins with one of these for a formula.
const FORMULA_STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '＠'];

/// A value of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Any text. One that could be a formula gets an apostrophe before it.
    Text(String),
    /// A number or a time that this service has formatted.
    Plain(String),
}

/// A table.
#[derive(Debug)]
pub(crate) struct Csv {
    text: String,
    rows: usize,
    /// Something is missing.
    is_incomplete: bool,
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    pub(crate) fn plain(value: impl ToString) -> Cell {
        Cell::Plain(value.to_string())
    }

    /// A value that may be missing; without it the cell is empty.
    pub(crate) fn known(value: Option<impl ToString>) -> Cell {
        Cell::Plain(value.map(|value| value.to_string()).unwrap_or_default())
    }

    fn write(&self, to: &mut String) {
        match self {
            Cell::Text(text) if text.starts_with(FORMULA_STARTS) => quote(&format!("'{text}"), to),
            Cell::Text(text) | Cell::Plain(text) => quote(text, to),
        }
    }
}

impl Csv {
    /// A table without rows.
    pub(crate) fn new(titles: &[&str]) -> Csv {
        let mut csv = Csv { text: String::new(), rows: 0, is_incomplete: false };
        csv.line(titles.iter().map(|title| Cell::text(*title)));
        csv
    }

    /// Adds a row. Of more than [`MAX_ROWS`] rows the last ones are left out.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        if self.is_full() {
            self.is_incomplete = true;
            return;
        }
        self.rows += 1;
        self.line(cells);
    }

    /// Notes whether something is missing.
    pub(crate) fn note_missing(&mut self, is_missing: bool) {
        self.is_incomplete |= is_missing;
    }

    /// The file, named by its content and its days. The name of one in which something is missing ends with `incomplete`.
    pub(crate) fn reply(self, content: &str, days: &str) -> WebReply {
        let end = if self.is_incomplete { "-incomplete" } else { "" };
        WebReply::csv(format!("unified-ads-{content}-{days}{end}.csv"), self.text)
    }

    /// The file as it is.
    #[cfg(test)]
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether a row more would be left out.
    pub(crate) fn is_full(&self) -> bool {
        self.rows >= MAX_ROWS
    }

    fn line(&mut self, cells: impl IntoIterator<Item = Cell>) {
        for (at, cell) in cells.into_iter().enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            cell.write(&mut self.text);
        }
        self.text.push_str("\r\n");
    }
}

/// The day of a download, for the name of its file.
pub(crate) fn day(now: Timestamp) -> String {
    now.strftime("%Y-%m-%d").to_string()
}

fn quote(text: &str, to: &mut String) {
    if text.contains([',', '"', '\r', '\n', ';', '\t']) || text.trim() != text {
        to.push('"');
        to.push_str(&text.replace('"', "\"\""));
        to.push('"');
    } else {
        to.push_str(text);
    }
}

/// A time, as the API returns it.
pub(crate) fn in_seconds(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(cells: &[Cell]) -> String {
        let mut csv = Csv::new(&["A"]);
        csv.row(cells.iter().cloned());
        csv.text.strip_prefix("A\r\n").unwrap().to_owned()
    }

    #[test]
    fn values_are_quoted_where_they_must_be() {
        let cells = ["a", "a,b", "say \"hi\"", "two\nlines", " space", "", "ä😀"].map(Cell::text);
        assert_eq!(line(&cells), "a,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\" space\",,ä😀\r\n");
    }

    #[test]
    fn a_text_is_never_a_formula_and_a_number_stays_one() {
        for (text, written) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-2", "'-2"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\r=1\""),
            ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
            ("a=b", "a=b"),
            ("'=1", "'=1"),
        ] {
            assert_eq!(line(&[Cell::text(text)]), format!("{written}\r\n"));
        }
        assert_eq!(line(&[Cell::plain("-12.50"), Cell::known(None::<u8>), Cell::known(Some(3))]), "-12.50,,3\r\n");
    }

    #[test]
    fn a_table_ends_at_its_most_rows_and_says_so() {
        let mut csv = Csv::new(&["A"]);
        for row in 0..MAX_ROWS {
            csv.row([Cell::plain(row)]);
        }
        assert!(!csv.is_incomplete);
        csv.row([Cell::plain("more")]);
        assert!(csv.is_incomplete && csv.text.lines().count() == MAX_ROWS + 1);
        assert_eq!(day("2026-11-22T23:59:59Z".parse().unwrap()), "2026-11-22");
    }
}
