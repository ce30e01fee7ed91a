//! Reads ISO 20022 bank-to-customer statements (camt.053) and reports (camt.052), in every version.
//!
//! Elements are found by their local names: the versions differ in namespaces and in optional elements only. Each
//! `Ntry` becomes one entry. Its details (`TxDtls`) never do: they repeat the total, may omit fees, and a bank may list
//! them in one file and not in the next.

mod entry;

use passbook_domain::Currency;
use passbook_input::Fault;

use super::collector::Collector;
use super::text::Lines;
use super::xml::{Node, XmlReader, XmlStep};
use super::{AccountReference, Balance, BalanceKind, Format, Statement, StatementKind, Unreadable, day};
use entry::signed;

/// Reads a CAMT document.
pub(super) fn read(text: &str, mut collector: Collector<'_>) -> Result<Vec<Statement>, Unreadable> {
    let mut reader = XmlReader::new(text);
    let mut lines = Lines::of(text);
    let mut statement = None;
    loop {
        match reader.step()? {
            XmlStep::End => break,
            XmlStep::Close => {}
            XmlStep::Open(node) if node.name == "Ntfctn" => {
                let rule = "must be a statement (camt.053) or a report (camt.052): a notification (camt.054) repeats them";
                return Err(Fault::new(format!("line {}", lines.line(node.start)), rule).into());
            }
            XmlStep::Open(node) if matches!(node.name.as_str(), "Stmt" | "Rpt") => {
                let mut opened =
                    Statement::new(Format::Camt, StatementKind::Window, AccountReference::default());
                opened.lists_pending = node.name == "Rpt";
                statement = Some(collector.open(opened));
            }
            XmlStep::Open(node) => {
                let Some(index) = statement.filter(|_| PARTS.contains(&node.name.as_str())) else { continue };
                let start = node.start;
                let node = reader.content(node, "TxDtls")?;
                if node.name == "Ntry" {
                    let line = lines.line(start);
                    entry::read(&node, line, text, index, &mut collector);
                } else if let Err(rule) = part(&node, collector.statement(index)) {
                    let place = format!("line {}, {}", lines.line(start), node.name);
                    return Err(Fault::new(place, rule).into());
                }
            }
        }
    }
    for index in 0..collector.statements().len() {
        complete(collector.statement(index));
    }
    let visible = count_entries(text);
    collector.finish(visible, "Ntry")
}

/// The children of a statement that are read.
const PARTS: [&str; 7] = ["Id", "ElctrncSeqNb", "CreDtTm", "FrToDt", "Acct", "Bal", "Ntry"];

/// Reads a child of a statement.
///
/// # Errors
/// The rule that a balance breaks.
fn part(node: &Node, statement: &mut Statement) -> Result<(), &'static str> {
    let text = node.text.trim();
    match node.name.as_str() {
        "Id" if statement.number.is_none() => statement.number = Some(text.to_owned()),
        "ElctrncSeqNb" => statement.number = Some(text.to_owned()),
        "CreDtTm" => statement.as_of = day::iso(text),
        "FrToDt" => {
            let end =
                |names: [&str; 2]| names.iter().find_map(|name| node.text_at(&[name])).and_then(day::iso);
            statement.from = end(["FrDtTm", "FrDt"]);
            statement.to = end(["ToDtTm", "ToDt"]);
        }
        "Acct" => account(node, &mut statement.account),
        "Bal" => statement.balances.extend(balance(node)?),
        _ => {}
    }
    Ok(())
}

fn account(node: &Node, account: &mut AccountReference) {
    let id = node.text_at(&["Id", "IBAN"]).or_else(|| node.text_at(&["Id", "Othr", "Id"]));
    // The first version has the number of a national account in elements of its own.
    let id = id.or_else(|| node.text_at(&["Id", "PrtryAcct", "Id"]));
    if let Some(id) = id {
        account.set_iban_or_number(id);
    }
    account.currency = node.text_at(&["Ccy"]).and_then(|code| Currency::parse(code).ok());
    account.name = node.text_at(&["Nm"]).map(str::to_owned);
    let institution = |names: &[&str]| {
        let bank = node.at(&["Svcr", "FinInstnId"]);
        bank.and_then(|bank| bank.text_at(names)).map(str::to_owned)
    };
    account.bank = institution(&["BIC"]).or_else(|| institution(&["BICFI"]));
    account.bank_name = institution(&["Nm"]);
}

/// Reads a balance. Balances of other types, such as those of credit lines, are left out.
fn balance(node: &Node) -> Result<Option<Balance>, &'static str> {
    let code = node.text_at(&["Tp", "CdOrPrtry", "Cd"]).or_else(|| node.text_at(&["Tp", "Cd"]));
    let kind = match code {
        Some("OPBD" | "PRCD") => BalanceKind::Opening,
        Some("CLBD") => BalanceKind::Closing,
        Some("ITBD") => BalanceKind::Interim,
        Some("CLAV" | "OPAV" | "ITAV") => BalanceKind::Available,
        _ => return Ok(None),
    };
    let Some(day) = node.text_at(&["Dt", "Dt"]).or_else(|| node.text_at(&["Dt", "DtTm"])).and_then(day::iso)
    else {
        return Err("must have a day (Dt)");
    };
    let (cents, currency) = signed(node)?;
    Ok(Some(Balance { kind, day, cents, currency }))
}

/// A statement whose balances enclose its entries is one of a chain. The previous closing balance stands for a missing
/// opening balance.
fn complete(statement: &mut Statement) {
    // Reports of one day overlap, and their balances are those of a moment.
    let is_report = statement.lists_pending;
    if is_report {
        let closing = statement.balances.iter_mut().filter(|balance| balance.kind == BalanceKind::Closing);
        closing.for_each(|balance| balance.kind = BalanceKind::Interim);
    }
    let has = |kind| statement.balances.iter().any(|balance| balance.kind == kind);
    if !is_report && has(BalanceKind::Opening) && has(BalanceKind::Closing) {
        statement.kind = StatementKind::Sequence;
    }
}

/// Counts the start tags of entries, with and without a namespace prefix.
fn count_entries(text: &str) -> u64 {
    let starts = text.match_indices("Ntry").filter(|(at, _)| {
        let after = text[at + 4..].starts_with(['>', ' ', '\t', '\r', '\n', '/']);
        let before = &text[..*at];
        let prefix = before.len()
            - before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "_-:.".contains(c)).len();
        let is_name = prefix == 0 || before.ends_with(':');
        after && is_name && before[..before.len() - prefix].ends_with('<')
    });
    starts.count() as u64
}
