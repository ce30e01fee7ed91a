//! The origin of one transaction: files, lines, step of the matching, category rule and pairing.

use jiff::civil::Date;
use passbook_matching::rules::{Action, Reason};
use passbook_matching::transaction::legs_of;
use passbook_matching::transfer::Leg;
use passbook_matching::{Outcome, Step, transfer};
use serde::Serialize;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, GenericClient, Row, Transaction};
use uuid::Uuid;

use super::stored;
use super::stored::{Computed, Stored, compute};
use crate::load::LoadError;

/// Maximum number of rejected candidates that are listed.
const CANDIDATES_MAX: usize = 5;
/// Minimum number of characters at the end of an identifier that name it.
const ID_DIGITS_MIN: usize = 4;
/// Maximum number of lines that are listed.
const LINES_MAX: usize = 20;

/// The origin of a transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// Booking day.
    pub date: Date,
    /// Signed hundredths.
    #[serde(rename = "amount_cents")]
    pub cents: i64,
    /// Currency.
    pub currency: String,
    /// Name of the account.
    pub account: String,
    /// The lines of all files, at most `LINES_MAX`; the last one is shown.
    pub lines: Vec<ExplainedLine>,
    /// The step of the matching, in words.
    pub identity: String,
    /// Type and category.
    pub category: String,
    /// The reason for the category, in words.
    pub reason: String,
    /// Own category, tags and note.
    pub labels: Vec<ExplainedLabel>,
    /// The linked transaction and the evidence, in words; `None` without a link.
    pub link: Option<String>,
    /// Transactions that could be the other leg of a transfer, and are not linked.
    pub rejected: Vec<Rejected>,
}

/// An own category, a tag or a note of a transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedLabel {
    /// `own category`, `tag`, `removed tag` or `note`.
    pub kind: String,
    /// Its name or text; empty if the person removed it.
    pub text: String,
    /// The reason, in words.
    pub reason: String,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedLine {
    /// Name of the file.
    pub file: String,
    /// Format and profile.
    pub format: String,
    /// Number of the line, from 1.
    pub line: i64,
    /// The record as it is in the file.
    pub raw: String,
}

/// A transaction that is not the other leg.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejected {
    /// The transaction.
    pub transaction_id: Uuid,
    /// Booking day.
    pub date: Date,
    /// Name of the account.
    pub account: String,
    /// The reason, in words.
    pub reason: &'static str,
}

/// The transaction that a person looks for. Money spent may be given with or without its sign.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// A text in merchant or title; else the identifier, or the last characters of it.
    pub text: &'a str,
    /// Booking day.
    pub day: Option<Date>,
    /// Amount in hundredths.
    pub cents: Option<i64>,
    /// True to leave out transactions that no file gives.
    pub imported_only: bool,
}

from_row! {
    /// A transaction that a person looks for.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct FoundRow {
        /// The transaction.
        pub transaction_id: Uuid,
        /// Booking day.
        pub date: Date,
        /// Amount in hundredths; money spent is negative.
        pub cents: i64,
        /// Currency.
        pub currency: String,
        /// Merchant and title.
        pub title: String,
        /// Name of the account.
        pub account: String,
    }
}

/// Returns the transactions that fit, the newest first. An absent condition fits all.
pub async fn find(
    client: &impl GenericClient,
    user_id: Uuid,
    wanted: Wanted<'_>,
    limit: i64,
) -> Result<Vec<FoundRow>, LoadError> {
    let statement = include_str!("../../sql/import_find.sql");
    let Wanted { text, day, cents, imported_only } = wanted;
    let digits = text.trim().replace('-', "").to_lowercase();
    let is_end = digits.len() >= ID_DIGITS_MIN && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    for (text, id) in [(text, None), ("", Some(digits).filter(|_| is_end))] {
        let parameters: [&(dyn ToSql + Sync); 7] =
            [&user_id, &text, &day, &cents, &limit, &id, &imported_only];
        let rows = crate::select(client, statement, &parameters).await?;
        if !rows.is_empty() || !is_end {
            return Ok(rows);
        }
    }
    Ok(Vec::new())
}

/// Returns the origin of a transaction; `None` if no file gives it.
pub async fn explain(
    client: &mut Client,
    user_id: Uuid,
    transaction_id: Uuid,
) -> Result<Option<Explanation>, LoadError> {
    let transaction = client.transaction().await?;
    let stored = stored::read(&transaction, user_id).await?;
    let computed = compute(user_id, &stored);
    let rows = &computed.resolution.rows;
    let Some(index) = rows.iter().position(|row| row.id == transaction_id) else { return Ok(None) };
    let row = &rows[index];
    let number = u32::try_from(index).expect("fewer than 2^32 rows");
    let labels = labels(&transaction, user_id, &stored, row).await?;
    let lines = lines(&transaction, user_id, &stored, &computed, number).await?;
    let transaction = &computed.transactions.all[index];
    let link = transaction.link.map(|link| {
        let other = &rows[link as usize];
        let evidence = transaction.tier.map_or("refund of this purchase", transfer::Tier::as_str);
        let account = stored.account_name(computed.resolution.account(other));
        format!("{} on {} in {account}: {evidence}", other.id, other.day)
    });
    Ok(Some(Explanation {
        date: row.day,
        cents: row.cents,
        currency: row.currency.to_string(),
        account: stored.account_name(computed.resolution.account(row)),
        lines,
        identity: identity_text(row),
        category: format!("{} {}", transaction.transaction_type.as_str(), transaction.category.as_str()),
        reason: reason_text(&stored, &computed, index),
        labels,
        link,
        rejected: rejected(&stored, &computed, number),
    }))
}

fn identity_text(row: &passbook_matching::MatchedRow) -> String {
    let moved = row.moved_from.map(|from| format!("; a newer file moved it from {from}")).unwrap_or_default();
    let step = match row.step {
        Step::Identifier(0) => "the identifier of the source is the transaction".to_owned(),
        Step::Identifier(number) => {
            format!("the identifier of the source, occurrence {} in its file", number + 1)
        }
        Step::Equal(number) => {
            format!("number {} of the equal amounts of this day and account", number + 1)
        }
        Step::Pending(_) => "pending in the newest file of its source".to_owned(),
        Step::Fee => "the fee that the line states apart".to_owned(),
    };
    step + &moved
}

fn reason_text(stored: &Stored, computed: &Computed, index: usize) -> String {
    let (row, transaction) = (&computed.resolution.rows[index], &computed.transactions.all[index]);
    if row.step == Step::Fee {
        return "fee".to_owned();
    }
    if transaction.tier.is_some() {
        return "transfer between own accounts".to_owned();
    }
    if transaction.link.is_some() {
        return "refund of a purchase".to_owned();
    }
    let reason = stored.meanings[row.line as usize].meaning.reason;
    let rule = stored.rules.action(reason);
    match (reason, rule) {
        (Reason::Rule(position), Some((action, None))) => rule_text(position, action),
        (_, Some((action, Some(language)))) => format!("starter rule for {language}: {}", action.name),
        (Reason::App, _) => "category of the app".to_owned(),
        (Reason::Provider, _) => "code of the provider".to_owned(),
        (Reason::BankType, _) => "the bank's type of the booking".to_owned(),
        _ => "no rule and no code".to_owned(),
    }
}

fn rule_text(position: u16, action: &Action) -> String {
    format!("rule {}: {}", position + 1, action.name)
}

/// Returns own category, tags and note of a row, with the statement of the person, the rule or the file that gives each.
async fn labels(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    stored: &Stored,
    row: &passbook_matching::MatchedRow,
) -> Result<Vec<ExplainedLabel>, LoadError> {
    let rule = stored.meanings[row.line as usize].meaning.own_rule;
    let rule = rule.and_then(|position| Some((position, stored.rules.action(Reason::Rule(position))?.0)));
    let statement = include_str!("../../sql/import_explain_labels.sql");
    let rows = transaction.query(statement, &[&user_id, &row.id]).await?;
    let label = |row: &Row| {
        let (kind, text, by_hand): (String, String, bool) = (row.get(0), row.get(1), row.get(2));
        let gives = |(_, action): &(u16, &Action)| match kind.as_str() {
            "own category" => action.own_category.is_some(),
            "note" => false,
            _ => action.tags.iter().any(|tag| tag.trim().to_lowercase() == text.to_lowercase()),
        };
        let reason = match rule.filter(gives) {
            _ if by_hand => "set by hand".to_owned(),
            Some((position, action)) => rule_text(position, action),
            None => "given by the file".to_owned(),
        };
        ExplainedLabel { kind, text, reason }
    };
    Ok(rows.iter().map(label).collect())
}

async fn lines(
    transaction: &Transaction<'_>,
    user_id: Uuid,
    stored: &Stored,
    computed: &Computed,
    number: u32,
) -> Result<Vec<ExplainedLine>, LoadError> {
    let outcomes = (0_u32..).zip(&computed.resolution.outcomes);
    let shown = computed.resolution.rows[number as usize].line;
    // A fee comes after the row of its line.
    let is_fee = computed.resolution.rows[number as usize].step == Step::Fee;
    let own = if is_fee { number - 1 } else { number };
    let of_row =
        |outcome: &Outcome| matches!(outcome, Outcome::Row(row) | Outcome::Posted(row) if *row == own);
    let others = outcomes.filter(|(line, outcome)| of_row(outcome) && *line != shown);
    let found: Vec<u32> = others.map(|(line, _)| line).take(LINES_MAX - 1).chain([shown]).collect();
    let statement = "select line, raw from passbook.import_lines \
                     where user_id = $1 and file_id = $2 and statement = $3 and position = $4";
    let mut lines = Vec::new();
    for line in found {
        let (place, position) = stored.place(line);
        let values: [&(dyn ToSql + Sync); 4] = [&user_id, &place.file_id, &place.statement, &position];
        let row = transaction.query_one(statement, &values).await?;
        lines.push(ExplainedLine {
            file: place.file_name.clone(),
            format: place.format.clone(),
            line: row.get(0),
            raw: row.get(1),
        });
    }
    Ok(lines)
}

fn rejected(stored: &Stored, computed: &Computed, number: u32) -> Vec<Rejected> {
    let all = &computed.transactions.all;
    let legs: Vec<Leg> = legs_of(&computed.resolution, &stored.meanings, all).collect();
    let Some(own) = legs.iter().position(|leg| leg.row == number) else { return Vec::new() };
    let paired = |leg: usize| all[legs[leg].row as usize].tier.is_some();
    let linked = all[number as usize].link;
    let candidates = transfer::candidates(&legs, own, CANDIDATES_MAX);
    candidates
        .into_iter()
        .filter(|other| linked != Some(legs[*other].row))
        .map(|other| {
            let leg = &legs[other];
            let reason = match () {
                () if paired(other) => "it is paired with another transaction",
                () if paired(own) => "this transaction is paired with another one",
                () if !leg.has_evidence() && !legs[own].has_evidence() => {
                    "nothing marks either as a transfer"
                }
                () if (leg.day - legs[own].day).get_days().abs() > transfer::LEG_DAYS_MAX => {
                    "more than four days apart, and neither names the account of the other"
                }
                () => "several transactions fit",
            };
            let transaction_id = computed.resolution.rows[leg.row as usize].id;
            Rejected { transaction_id, date: leg.day, account: stored.account_name(leg.account), reason }
        })
        .collect()
}
