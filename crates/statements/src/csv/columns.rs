//! Finds the columns of a profile in the header line of a file.

use ::csv::StringRecord;

use super::profile::{ColumnPositions, Condition, Names, Profile, Sides};

/// The columns of a file, and the conditions on them.
#[derive(Debug)]
pub(super) struct Columns {
    /// Number of cells of a row. `None` if the file has no header line.
    pub(super) count: Option<usize>,
    pub(super) at: ColumnPositions,
    pub(super) skip: Vec<Test>,
    pub(super) transfers: Vec<Test>,
    pub(super) pending: Option<Test>,
    pub(super) sides: Option<SideColumns>,
}

/// A condition with the position of its column.
#[derive(Debug)]
pub(super) struct Test {
    position: usize,
    column: String,
    values: Vec<String>,
    prefixes: Vec<String>,
    and: Option<Box<Test>>,
}

/// Positions of the columns of [`Sides`].
#[derive(Debug)]
pub(super) struct SideColumns {
    pub(super) kind: usize,
    pub(super) source: usize,
    pub(super) source_account: Option<usize>,
    pub(super) destination: usize,
    pub(super) destination_account: Option<usize>,
}

impl Columns {
    /// Finds the columns of a profile in the cells of a header line.
    ///
    /// # Errors
    /// The rule that the header line breaks: a required column is missing.
    pub(super) fn find(profile: &Profile, header: &[String]) -> Result<Columns, String> {
        let names = &profile.columns;
        let columns = Columns {
            count: (!header.is_empty()).then_some(header.len()),
            at: names.positions(|name| position(name, header)),
            skip: Test::find_all(&profile.skip, header),
            transfers: Test::find_all(&profile.transfers, header),
            pending: profile.pending.as_ref().and_then(|condition| Test::find(condition, header)),
            sides: profile.sides.as_ref().map(|sides| SideColumns::find(sides, header)).transpose()?,
        };
        let missing = |positions: &[usize]| positions.is_empty();
        if missing(&columns.at.booked) {
            return Err(lacks(&names.booked));
        }
        if missing(&columns.at.amount) && missing(&columns.at.out) && missing(&columns.at.incoming) {
            return Err(lacks(&names.amount));
        }
        if missing(&columns.at.flag) && !names.flag.0.is_empty() {
            return Err(lacks(&names.flag));
        }
        Ok(columns)
    }
}

fn lacks(names: &Names) -> String {
    format!("must have the column {}", names.0.join(" or "))
}

impl Test {
    fn find_all(conditions: &[Condition], header: &[String]) -> Vec<Test> {
        conditions.iter().filter_map(|condition| Test::find(condition, header)).collect()
    }

    fn find(condition: &Condition, header: &[String]) -> Option<Test> {
        let and = match &condition.and {
            None => None,
            Some(and) => Some(Box::new(Test::find(and, header)?)),
        };
        position(&condition.column, header).map(|position| Test {
            position,
            column: condition.column.clone(),
            values: condition.values.clone(),
            prefixes: condition.prefixes.clone(),
            and,
        })
    }

    /// Returns true if the cell of a row fulfils the condition. A cell that the row lacks does not.
    pub(super) fn is_met(&self, record: &StringRecord) -> bool {
        self.reason(record).is_some()
    }

    /// Returns the fulfilled condition as a clause, such as `State is REVERTED`. The clause does not contain the rest of
    /// the cell, so that a file has few different clauses.
    pub(super) fn reason(&self, record: &StringRecord) -> Option<String> {
        let reason = self.own_reason(record)?;
        match &self.and {
            Some(and) => Some(format!("{reason} and {}", and.reason(record)?)),
            None => Some(reason),
        }
    }

    fn own_reason(&self, record: &StringRecord) -> Option<String> {
        let cell = record.get(self.position)?.trim();
        let value = self.values.iter().find(|value| value.eq_ignore_ascii_case(cell));
        if let Some(value) = value {
            let value = if value.is_empty() { "empty" } else { value.as_str() };
            return Some(format!("{} is {value}", self.column));
        }
        let prefix = self.prefixes.iter().find(|prefix| cell.starts_with(prefix.as_str()))?;
        Some(format!("{} starts with {prefix}", self.column))
    }
}

impl SideColumns {
    fn find(sides: &Sides, header: &[String]) -> Result<SideColumns, String> {
        let required =
            |name: &String| position(name, header).ok_or_else(|| format!("must have the column {name}"));
        let optional = |name: &Option<String>| name.as_ref().and_then(|name| position(name, header));
        Ok(SideColumns {
            kind: required(&sides.kind)?,
            source: required(&sides.source)?,
            source_account: optional(&sides.source_account),
            destination: required(&sides.destination)?,
            destination_account: optional(&sides.destination_account),
        })
    }
}

/// Returns the position of a column. `Währung#2` is the second column of that name, and `#3` the third column.
fn position(name: &str, header: &[String]) -> Option<usize> {
    let (name, number) = match name.rsplit_once('#') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            (name, number.parse::<usize>().ok()?)
        }
        _ => (name, 1),
    };
    let index = number.checked_sub(1)?;
    if name.is_empty() {
        return (header.is_empty() || index < header.len()).then_some(index);
    }
    let name = name.to_lowercase();
    let named = header.iter().enumerate().filter(|(_, cell)| cell.to_lowercase() == name);
    // A column named `Account #` has no number of its own.
    named.map(|(at, _)| at).nth(index)
}
