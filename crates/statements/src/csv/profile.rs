//! The profile of a CSV export: its header lines, and the meaning of its columns.

use passbook_domain::Currency;
use passbook_input::Fault;
use serde::Deserialize;

use super::super::amount::NumberStyle;
use super::super::{DateOrder, TextEncoding, day};
use super::labels::{Footer, PreambleLabels};

/// Separators that a profile may name.
const DELIMITERS: [&str; 4] = [",", ";", "\t", "|"];
/// The value of a key that a person must decide.
pub(super) const OPEN: &str = "\"decide\"";
/// Separators of groups of digits that a profile may name.
const GROUPS: [&str; 4] = [",", ".", " ", "'"];

/// The columns and conventions of one CSV export, as written in a TOML file. `docs/importing.md` explains each key.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Name of the profile: lower-case letters, digits and hyphens.
    pub name: String,
    /// Name of the bank or app, which becomes the name of the bank of new accounts.
    pub bank: String,
    /// Origin of the header lines: repository and path of a public file, or the bank's manual.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Header lines of the export, one for each version of the export. After a last cell `…`, further columns may follow.
    #[serde(default)]
    pub headers: Vec<String>,
    /// Number of lines to leave out at the start of a file without a header line.
    #[serde(default)]
    pub skip_lines: usize,
    /// Encoding of the export, for files that are not Unicode.
    #[serde(default)]
    pub(super) encoding: Option<String>,
    /// Separators of the cells that the export is known with. The header lines are written with the first.
    #[serde(default = "comma")]
    pub(super) delimiter: Names,
    /// False if quotation marks are ordinary characters.
    #[serde(default = "yes")]
    pub(super) quotes: bool,
    /// Separator of the decimals.
    #[serde(default = "point")]
    pub(super) decimal: char,
    /// Separator of the decimals of balances, if it is another one.
    #[serde(default)]
    pub(super) balance_decimal: Option<char>,
    /// Separator of groups of digits.
    #[serde(default)]
    pub(super) group: Option<String>,
    /// Formats of a day. Several formats make the order of day and month a choice, unless the days of a file fit one.
    pub(super) dates: Vec<String>,
    /// Order of day and month, which selects the formats of this order: `dmy`, `mdy` or `ymd`.
    #[serde(default)]
    pub(super) date_order: Option<String>,
    /// Currency of every row.
    #[serde(default)]
    pub(super) currency: Option<String>,
    /// The columns.
    pub(super) columns: ColumnNames,
    /// Conventions of the amounts.
    #[serde(default)]
    pub(super) amount: AmountRules,
    /// True if one identifier is one transaction in every file of this source.
    #[serde(default)]
    pub(super) authoritative_ids: bool,
    /// The rows that are pending.
    #[serde(default)]
    pub(super) pending: Option<Condition>,
    /// Rows to leave out.
    #[serde(default)]
    pub(super) skip: Vec<Condition>,
    /// Rows that are one side of a transfer between own accounts. The two rows of an exchange of currencies have one time.
    #[serde(default)]
    pub(super) transfers: Vec<Condition>,
    /// Labels of cells above the header line.
    #[serde(default)]
    pub(super) preamble: PreambleLabels,
    /// Rows at the end of the file that are no transactions.
    #[serde(default)]
    pub(super) footer: Footer,
    /// Start of a payee that names the own account on the other side.
    #[serde(default)]
    pub(super) transfer_prefix: Option<String>,
    /// Separator of category group and category in the column `own_category`.
    #[serde(default)]
    pub(super) category_separator: Option<String>,
    /// Character before each tag in a text. Without it, commas separate the tags.
    #[serde(default)]
    pub(super) tag_mark: Option<char>,
    /// Rows that name the accounts of both sides.
    #[serde(default)]
    pub(super) sides: Option<Sides>,
}

/// Declares the columns by their meaning: the names of a profile, and the positions in a file.
macro_rules! columns {
    ($($(#[$attribute:meta])* $column:ident,)+) => {
        /// The columns by their meaning. Each list has alternatives or parts; a name that the header of a file lacks is
        /// ignored.
        #[derive(Clone, Debug, Default, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub(super) struct ColumnNames {
            $($(#[$attribute])* pub(super) $column: Names,)+
        }

        /// Positions of the columns of a file. Missing columns have no position.
        #[derive(Debug)]
        pub(super) struct ColumnPositions {
            $(pub(super) $column: Vec<usize>,)+
        }

        impl ColumnPositions {
            /// Returns the number of cells until the last column.
            pub(super) fn cells(&self) -> usize {
                [$(&self.$column),+].into_iter().flatten().max().map_or(0, |last| last + 1)
            }
        }

        impl ColumnNames {
            /// Finds the position of each name.
            pub(super) fn positions(&self, position: impl Fn(&String) -> Option<usize>) -> ColumnPositions {
                ColumnPositions { $($column: self.$column.0.iter().filter_map(&position).collect(),)+ }
            }
        }
    };
}

columns! {
    booked,
    value,
    transaction,
    amount,
    out,
    #[serde(rename = "in")]
    incoming,
    flag,
    fee,
    currency,
    balance,
    id,
    replaces,
    reference,
    party,
    /// Payee of an outgoing row, if payer and payee have a column each.
    party_out,
    /// Payer of an incoming row.
    party_in,
    party_account,
    text,
    code,
    category,
    /// Category in an app in which people make the categories themselves.
    own_category,
    /// Category group that contains `own_category`.
    own_parent,
    tags,
    /// Note of the person, in an app that has notes beside the bank's texts.
    note,
    original_amount,
    original_currency,
    rate,
    /// IBAN or number of the own account.
    account,
    /// Name of the own account.
    account_name,
    /// Own account on the other side of a transfer.
    transfer,
}

/// One name or several.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "OneOrMore<T>", bound = "T: Deserialize<'de>")]
pub(super) struct Names<T = String>(pub(super) Vec<T>);

impl<T> Default for Names<T> {
    fn default() -> Names<T> {
        Names(Vec::new())
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore<T> {
    One(T),
    More(Vec<T>),
}

impl<T> From<OneOrMore<T>> for Names<T> {
    fn from(names: OneOrMore<T>) -> Names<T> {
        match names {
            OneOrMore::One(name) => Names(vec![name]),
            OneOrMore::More(names) => Names(names),
        }
    }
}

/// Conventions of the amounts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AmountRules {
    /// True if a positive amount was charged to the account.
    pub(super) negate: bool,
    /// True if amounts in the column `out` have a minus sign.
    pub(super) out_signed: bool,
    /// True if amounts in the column `in` have a minus sign.
    pub(super) in_signed: bool,
    /// Values of the column `flag` for outgoing rows.
    pub(super) out_values: Vec<String>,
    /// Values of the column `flag` for incoming rows.
    pub(super) in_values: Vec<String>,
    /// True if the amount already contains the fee. Otherwise the fee is charged apart.
    pub(super) fee_included: bool,
}

/// A condition on one cell of a row.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Condition {
    pub(super) column: String,
    /// The cell is one of these values. An empty text is an empty cell.
    #[serde(default)]
    pub(super) values: Vec<String>,
    /// The cell starts with one of these texts.
    #[serde(default)]
    pub(super) prefixes: Vec<String>,
    /// A condition on another cell, which must be fulfilled too.
    #[serde(default)]
    pub(super) and: Option<Box<Condition>>,
}

impl Condition {
    fn is_complete(&self) -> bool {
        let has_texts = !self.values.is_empty() || !self.prefixes.is_empty();
        has_texts && self.and.as_ref().is_none_or(|and| and.is_complete())
    }
}

/// Rows that name the accounts of both sides, as double-entry apps write them. A row between two own accounts becomes
/// two entries.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sides {
    /// Column of the type of the row.
    pub(super) kind: String,
    /// Types of rows from an own account to another party.
    pub(super) withdrawals: Vec<String>,
    /// Types of rows from another party to an own account.
    pub(super) deposits: Vec<String>,
    /// Types of rows between own accounts.
    pub(super) transfers: Vec<String>,
    /// Column of the name of the paying side.
    pub(super) source: String,
    /// Column of the IBAN or number of the paying side.
    #[serde(default)]
    pub(super) source_account: Option<String>,
    /// Column of the name of the receiving side.
    pub(super) destination: String,
    /// Column of the IBAN or number of the receiving side.
    #[serde(default)]
    pub(super) destination_account: Option<String>,
}

/// Returns true for a line whose value is to be decided.
pub(super) fn is_open(line: &str) -> bool {
    let value = line.split_once('=').map_or("", |(_, value)| value.trim_start());
    !line.trim_start().starts_with('#') && value.strip_prefix(OPEN).is_some_and(|rest| !rest.starts_with(','))
}

fn comma() -> Names {
    Names(vec![",".to_owned()])
}

fn point() -> char {
    '.'
}

fn yes() -> bool {
    true
}

impl Profile {
    /// Parses and checks a profile. `place` names the file in faults.
    ///
    /// # Errors
    /// The key and the rule that it breaks.
    pub fn parse(text: &str, place: &str) -> Result<Profile, Fault> {
        if let Some((line, content)) = (1..).zip(text.lines()).find(|(_, line)| is_open(line)) {
            let rule = "must be decided: replace \"decide\" by one of the values that the comment names";
            return Err(Fault::new(format!("{place}, line {line}"), rule).received(content.trim()));
        }
        let profile: Profile = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| super::super::text::line_of(text, span.start));
            Fault::new(format!("{place}, line {line}"), format!("must be a profile: {}", error.message()))
        })?;
        profile.check().map_err(|(key, rule)| Fault::new(format!("{place}, {key}"), rule))?;
        Ok(profile)
    }

    fn check(&self) -> Result<(), (&'static str, String)> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.name.is_empty() || !self.name.chars().all(plain) {
            return Err(("name", "must be lower-case letters, digits and hyphens".to_owned()));
        }
        let known = |delimiter: &String| DELIMITERS.contains(&delimiter.as_str());
        if self.delimiter.0.is_empty() || !self.delimiter.0.iter().all(known) {
            return Err(("delimiter", "must be a comma, a semicolon, a tab or a vertical bar".to_owned()));
        }
        for (key, decimal) in [("decimal", Some(self.decimal)), ("balance_decimal", self.balance_decimal)] {
            if decimal.is_some_and(|decimal| !['.', ','].contains(&decimal)) {
                return Err((key, "must be a point or a comma".to_owned()));
            }
        }
        if self.group.as_deref().is_some_and(|group| !GROUPS.contains(&group)) {
            return Err(("group", "must be a comma, a point, a space or an apostrophe".to_owned()));
        }
        if self.group.as_deref().is_some_and(|group| group.starts_with(self.decimal)) {
            return Err(("group", "must differ from the separator of the decimals".to_owned()));
        }
        if self.encoding.is_some() && self.text_encoding().is_none() {
            return Err(("encoding", "must be the name of an encoding, such as windows-1250".to_owned()));
        }
        if self.dates.is_empty() || self.dates.iter().any(|format| day::order(format).is_none()) {
            let rule = "must be formats with day, month and year, such as %d.%m.%Y";
            return Err(("dates", rule.to_owned()));
        }
        let order = self.date_order.as_deref();
        if order.is_some_and(|order| {
            !self.dates.iter().any(|format| day::order(format).is_some_and(|of| of.as_str() == order))
        }) {
            return Err((
                "date_order",
                "must be the order of one of the formats: dmy, mdy or ymd".to_owned(),
            ));
        }
        if self.currency.as_deref().is_some_and(|currency| Currency::parse(currency).is_err()) {
            return Err(("currency", "must be a currency code, such as EUR".to_owned()));
        }
        let columns = &self.columns;
        if columns.booked.0.is_empty() {
            return Err(("columns.booked", "must be given".to_owned()));
        }
        if columns.amount.0.is_empty() && columns.out.0.is_empty() && columns.incoming.0.is_empty() {
            return Err(("columns.amount", "must be given, or the columns out and in".to_owned()));
        }
        if columns.flag.0.is_empty() != self.amount.out_values.is_empty() {
            return Err((
                "amount.out_values",
                "must be given if and only if a column flag is given".to_owned(),
            ));
        }
        for condition in self.skip.iter().chain(&self.transfers).chain(&self.pending) {
            if !condition.is_complete() {
                return Err(("skip, transfers and pending", "must have values or prefixes".to_owned()));
            }
        }
        Ok(())
    }

    /// Encoding of the export. `None` if the profile names none.
    pub(in super::super) fn text_encoding(&self) -> Option<TextEncoding> {
        self.encoding.as_deref().and_then(TextEncoding::parse)
    }

    /// Separators of the cells, each one byte.
    pub(super) fn delimiters(&self) -> impl Iterator<Item = u8> + '_ {
        self.delimiter.0.iter().filter_map(|delimiter| delimiter.bytes().next())
    }

    /// Separator with which the header lines are written.
    pub(super) fn first_delimiter(&self) -> u8 {
        self.delimiters().next().unwrap_or(b',')
    }

    /// Order of day and month, for formats that leave it open.
    pub(super) fn date_order(&self) -> Option<DateOrder> {
        self.date_order.as_deref().and_then(DateOrder::parse)
    }

    pub(super) fn number_style(&self) -> NumberStyle {
        let group = self.group.as_deref().and_then(|group| group.chars().next());
        NumberStyle { decimal: self.decimal, group }
    }

    /// The style of balances.
    pub(super) fn balance_style(&self) -> NumberStyle {
        let style = self.number_style();
        let decimal = self.balance_decimal.unwrap_or(style.decimal);
        NumberStyle { decimal, group: style.group.filter(|group| *group != decimal) }
    }

    /// Currency of every row. `None` if the profile names none.
    pub(super) fn fixed_currency(&self) -> Option<Currency> {
        self.currency.as_deref().and_then(|currency| Currency::parse(currency).ok())
    }
}
