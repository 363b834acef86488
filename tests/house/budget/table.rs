//! Reads `table.md`, and compares the counts with it.

use std::collections::BTreeMap;

const TABLE: &str = include_str!("table.md");

/// A row of the table, as written or as counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) endpoint: String,
    pub(super) case: String,
    pub(super) cells: Cells,
}

/// The counts of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cells {
    pub(super) before: String,
    pub(super) path: String,
    pub(super) after: String,
    pub(super) platform: String,
    pub(super) payments: String,
    pub(super) written: String,
    pub(super) read: String,
}

/// The parts of a row that are not counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Written {
    /// The promised maximum of round trips; none where nothing is promised.
    pub(super) budget: String,
    /// The reason for more.
    pub(super) why: String,
}

impl Row {
    fn key(&self) -> (String, String) {
        (self.endpoint.clone(), self.case.clone())
    }

    fn line(&self, written: &Written) -> String {
        let Row { endpoint, case, cells } = self;
        let Cells { before, path, after, platform, payments, written: units, read } = cells;
        let Written { budget, why } = written;
        let cells = [endpoint, case, budget, before, platform, payments, units, read, path, after, why];
        let line = cells.map(|cell| if cell.is_empty() { " |".to_owned() } else { format!(" {cell} |") });
        format!("|{}", line.concat())
    }
}

/// The table as written.
pub(super) fn rows() -> Vec<(Row, Written)> {
    let lines =
        TABLE.lines().filter(|line| line.starts_with("| GET") || line.starts_with("| P") || line.starts_with("| D"));
    lines.map(row).collect()
}

fn row(line: &str) -> (Row, Written) {
    let cells: Vec<String> = line.split('|').map(|cell| cell.trim().to_owned()).collect();
    let cells: [String; 13] = cells.try_into().unwrap_or_else(|_| panic!("a row has eleven cells: {line}"));
    let [_, endpoint, case, budget, before, platform, payments, written, read, path, after, why, _] = cells;
    let cells = Cells { before, path, after, platform, payments, written, read };
    (Row { endpoint, case, cells }, Written { budget, why })
}

/// The differences between the table and the counts, as lines to be written into it.
pub(super) fn differences(counted: &[Row]) -> Vec<String> {
    let mut known: BTreeMap<_, _> = rows().into_iter().map(|(row, written)| (row.key(), (row, written))).collect();
    let mut lines = Vec::new();
    for row in counted {
        match known.remove(&row.key()) {
            Some((is_written, _)) if is_written == *row => {}
            Some((_, written)) => lines.push(row.line(&written)),
            None => lines.push(row.line(&Written::default())),
        }
    }
    lines.extend(known.into_values().map(|(row, written)| format!("not measured: {}", row.line(&written))));
    lines
}
