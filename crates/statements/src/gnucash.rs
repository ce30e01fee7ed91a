//! Reads a `GnuCash` book: XML of the namespace `gnc-v2`, compressed or not.
//!
//! Each split of a transaction on an own account becomes an entry: accounts of the types in `own_kind`. Income,
//! expense and equity accounts are the category of the other side. A transaction against an account of opening balances
//! only is an opening balance; every other transaction against equity is an entry.

mod split;

use passbook_domain::Currency;
use passbook_input::Fault;

use super::collector::Collector;
use super::text::Lines;
use super::xml::{Node, XmlReader, XmlStep};
use super::{AccountReference, Format, Statement, StatementKind, Unreadable};
use split::{Accounts, GnuCashAccount, own_kind};

/// Names of the account of opening balances.
const OPENING_NAMES: [&str; 2] = ["Opening Balances", "Opening Balance"];

/// Reads a book.
pub(super) fn read(text: &str, mut collector: Collector<'_>) -> Result<Vec<Statement>, Unreadable> {
    let mut reader = XmlReader::new(text);
    let mut lines = Lines::of(text);
    let mut accounts = Accounts::default();
    // Templates of scheduled transactions have accounts and transactions of their own.
    let mut templates = false;
    let mut open: Vec<String> = Vec::new();
    let mut visible = 0;
    loop {
        match reader.step()? {
            XmlStep::End => break,
            XmlStep::Close => templates &= open.pop().as_deref() != Some("template-transactions"),
            XmlStep::Open(node) if node.name == "account" => {
                let node = reader.content(node, "")?;
                if !templates {
                    account(&node, &mut accounts, &mut collector);
                }
            }
            XmlStep::Open(node) if node.name == "transaction" => {
                let line = lines.line(node.start);
                let node = reader.content(node, "")?;
                visible += 1;
                if templates {
                    collector.other_record();
                } else {
                    split::read(&node, line, text, &accounts, &mut collector);
                }
            }
            XmlStep::Open(node) => {
                templates |= node.name == "template-transactions";
                open.push(node.name);
            }
        }
    }
    let counted = text.matches("<gnc:transaction ").count() + text.matches("<gnc:transaction>").count();
    if counted as u64 != visible {
        let rule =
            format!("must be readable completely: {counted} transactions are visible, {visible} were read");
        return Err(Fault::new("file", rule).into());
    }
    collector.finish(visible, "gnc:transaction")
}

fn account(node: &Node, accounts: &mut Accounts, collector: &mut Collector<'_>) {
    let text = |name: &str| node.text_at(&[name]).unwrap_or_default().to_owned();
    let (id, name, kind) = (text("id"), text("name"), text("type"));
    let currency = node
        .text_at(&["commodity", "id"])
        .filter(|_| matches!(node.text_at(&["commodity", "space"]), Some("CURRENCY" | "ISO4217")))
        .and_then(|code| Currency::parse(code).ok());
    let statement = own_kind(&kind).filter(|_| currency.is_some()).map(|kind| {
        let reference = AccountReference {
            number: Some(id.clone()),
            name: Some(name.clone()),
            currency,
            kind: Some(kind),
            ..AccountReference::default()
        };
        collector.open(Statement::new(Format::GnuCash, StatementKind::Window, reference))
    });
    let parent = node.text_at(&["parent"]).map(str::to_owned);
    let is_opening = kind == "EQUITY" && is_opening_account(node, &name);
    accounts.insert(id, GnuCashAccount { name, kind, parent, statement, is_opening });
}

/// Returns true if an equity account has the opening balances. `GnuCash` marks this account in newer versions; older
/// books have only its name, in the language of the program.
fn is_opening_account(node: &Node, name: &str) -> bool {
    let mut slots = node.all("slots").flat_map(|slots| slots.all("slot"));
    let is_marked = slots.any(|slot| {
        let of = |part: &str| slot.text_at(&[part]);
        of("key") == Some("equity-type") && of("value") == Some("opening-balance")
    });
    is_marked || OPENING_NAMES.contains(&name)
}
