//! One `Ntry` of a CAMT document.

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_input::Fault;

use super::super::amount::{self, NumberStyle};
use super::super::collector::Collector;
use super::super::text::{joined, raw, some};
use super::super::xml::Node;
use super::super::{Entry, EntryId, Fee, IdTrust, LineState, Original, day};

/// The end-to-end identifier of a payment without one (ISO 20022 message usage).
const NOT_PROVIDED: &str = "NOTPROVIDED";

/// Reads an entry, or its faults.
pub(super) fn read(node: &Node, line: u64, text: &str, statement: usize, collector: &mut Collector<'_>) {
    let fault = |rule: &str| Fault::new(format!("line {line}, Ntry"), rule);
    let status = node.text_at(&["Sts", "Cd"]).or_else(|| node.text_at(&["Sts"]));
    let status = match status {
        Some("BOOK") | None => LineState::Booked,
        Some("PDNG") => LineState::Pending,
        Some("INFO") => return collector.skip(statement, "Sts is INFO: for information only"),
        Some("FUTR") => return collector.skip(statement, "Sts is FUTR: planned"),
        Some(other) => {
            let rule = "must be BOOK, PDNG, INFO or FUTR (Sts)";
            return collector.faulty_record([fault(rule).received(format!("{other:?}"))]);
        }
    };
    let mut faults = Vec::new();
    let amounts = signed(node).map_err(|rule| faults.push(fault(rule))).ok();
    let value_day = day_of(node, "ValDt");
    let booked = day_of(node, "BookgDt").or(value_day);
    if booked.is_none() {
        faults.push(fault("must have a day (BookgDt or ValDt)"));
    }
    let (Some((cents, currency)), Some(booked)) = (amounts, booked) else {
        return collector.faulty_record(faults);
    };
    let mut entry = Entry::new(line, booked, cents);
    entry.status = status;
    entry.currency = currency;
    entry.value_day = value_day;
    entry.code = code(node);
    entry.fee = fee(node, currency);
    details(node, &mut entry);
    entry.raw = raw(text.get(node.start..node.end).unwrap_or_default());
    collector.entry(statement, entry);
}

fn day_of(node: &Node, name: &str) -> Option<Date> {
    node.text_at(&[name, "Dt"]).or_else(|| node.text_at(&[name, "DtTm"])).and_then(day::iso)
}

/// Reads the texts. Details of several payments describe none of them as a whole.
fn details(node: &Node, entry: &mut Entry) {
    let all: Vec<&Node> = node.all("NtryDtls").flat_map(|details| details.all("TxDtls")).collect();
    let single = if let [single] = all[..] { Some(single) } else { None };
    let reference = |name: &str| single.and_then(|details| details.text_at(&["Refs", name]));
    let id = node
        .text_at(&["AcctSvcrRef"])
        .or_else(|| reference("AcctSvcrRef"))
        .or_else(|| node.text_at(&["NtryRef"]));
    entry.id = id.map(|text| EntryId { text: text.to_owned(), trust: IdTrust::Hint });
    let additional = node.text_at(&["AddtlNtryInf"]);
    let Some(details) = single else {
        entry.text = joined(additional);
        return;
    };
    entry.reference = reference("EndToEndId").filter(|id| *id != NOT_PROVIDED).map(str::to_owned);
    let (party, ultimate, account) =
        if entry.cents < 0 { ("Cdtr", "UltmtCdtr", "CdtrAcct") } else { ("Dbtr", "UltmtDbtr", "DbtrAcct") };
    let parties = details.child("RltdPties");
    let name = |role: &str| {
        let role = parties.and_then(|parties| parties.child(role));
        role.and_then(|role| role.text_at(&["Nm"]).or_else(|| role.text_at(&["Pty", "Nm"])))
    };
    entry.party = name(party).or_else(|| name(ultimate)).and_then(some);
    let account = parties.and_then(|parties| parties.at(&[account, "Id"]));
    let account = account.and_then(|id| id.text_at(&["IBAN"]).or_else(|| id.text_at(&["Othr", "Id"])));
    entry.party_account = account.map(|account| account.split_whitespace().collect());
    entry.text = remittance(details);
    if entry.text.is_empty() {
        entry.text = joined([details.text_at(&["AddtlTxInf"]), additional].into_iter().flatten());
    }
    entry.code = entry.code.take().or_else(|| code(details));
    entry.original = original(details, entry).or_else(|| original(node, entry));
}

fn remittance(details: &Node) -> String {
    let information = details.all("RmtInf");
    let parts = information.flat_map(|information| {
        let free = information.all("Ustrd").map(|node| node.text.as_str());
        let structured = information.all("Strd").filter_map(|node| node.text_at(&["CdtrRefInf", "Ref"]));
        free.chain(structured)
    });
    joined(parts)
}

/// Returns the bank transaction code: the ISO code as `PMNT-RCDT-ESCT`, otherwise the bank's own.
fn code(node: &Node) -> Option<String> {
    let code = node.child("BkTxCd")?;
    let domain = code.text_at(&["Domn", "Cd"]);
    let family = |name: &str| code.text_at(&["Domn", "Fmly", name]);
    match domain {
        Some(domain) => {
            let parts = [Some(domain), family("Cd"), family("SubFmlyCd")];
            Some(parts.into_iter().flatten().collect::<Vec<_>>().join("-"))
        }
        None => code.text_at(&["Prtry", "Cd"]).map(str::to_owned),
    }
}

/// Returns the charges of an entry. The amount of an entry is what the account was charged, so they are inside it.
fn fee(node: &Node, currency: Option<Currency>) -> Option<Fee> {
    let charges = node.child("Chrgs")?;
    let amounts: Vec<&Node> = match charges.child("TtlChrgsAndTaxAmt") {
        Some(total) => vec![total],
        None => {
            charges.all("Amt").chain(charges.all("Rcrd").filter_map(|record| record.child("Amt"))).collect()
        }
    };
    let mut total: i64 = 0;
    for charge in amounts {
        let code = charge.attribute("Ccy").and_then(|code| Currency::parse(code).ok());
        let cents = amount::cents(&charge.text, NumberStyle::POINT).ok().filter(|_| code == currency)?;
        total = total.checked_add(cents)?;
    }
    (total != 0).then_some(Fee { cents: -total.abs(), included: true })
}

/// Returns the amount in another currency that the entry states.
fn original(node: &Node, entry: &Entry) -> Option<Original> {
    let details = node.child("AmtDtls")?;
    ["InstdAmt", "TxAmt", "CntrValAmt"].iter().find_map(|name| {
        let stated = details.child(name)?;
        let amount = stated.child("Amt")?;
        let currency = amount.attribute("Ccy").and_then(|code| Currency::parse(code).ok())?;
        let cents = amount::cents(&amount.text, NumberStyle::POINT).ok()?;
        let rate = ["InstdAmt", "TxAmt", "CntrValAmt"]
            .iter()
            .find_map(|name| details.text_at(&[name, "CcyXchg", "XchgRate"]))
            .and_then(|rate| amount::rate(rate, '.'));
        let cents = if entry.cents < 0 { -cents } else { cents };
        (Some(currency) != entry.currency).then_some(Original { cents, currency, rate })
    })
}

/// Returns the amount of an entry or a balance, with the sign of its credit or debit indicator.
///
/// # Errors
/// The rule that the amount or the indicator breaks.
pub(super) fn signed(node: &Node) -> Result<(i64, Option<Currency>), &'static str> {
    let amount = node.child("Amt").ok_or("must have an amount (Amt)")?;
    let cents = amount::cents(&amount.text, NumberStyle::POINT)?;
    let currency = amount.attribute("Ccy").and_then(|code| Currency::parse(code).ok());
    if cents < 0 {
        return Err("must have an amount (Amt) without a sign");
    }
    match node.text_at(&["CdtDbtInd"]) {
        Some("CRDT") => Ok((cents, currency)),
        Some("DBIT") => Ok((-cents, currency)),
        _ => Err("must be CRDT or DBIT (CdtDbtInd)"),
    }
}
