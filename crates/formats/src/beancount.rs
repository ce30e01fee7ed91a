//! A Beancount ledger as records of one person.
//!
//! The steps, each a module: `source` cuts the files into directives and `parse` reads them; `booking` makes every
//! amount known, with `lots` and `balancing`; `assertion` pads and checks balances; `commodity` tells money from
//! securities; `own_accounts` and `account_map` say what the names stand for; `movement` and `rows` make the rows;
//! `prices`, `balances` and `assembly` the rest.
//!
//! What the import does:
//! - One row per line under Income or Expenses, on the own account that best explains it. Money back under
//!   Expenses is `REFUND`; a loss under Income is an expense.
//! - What own accounts changed beyond that moved between them: two linked rows. Opening balances, padding from
//!   equity and trades inside one account change balances only.
//! - Balances on every day on which an account's worth changed, a day on which only a price changed included.
//! - Flags, tags, links and notes are not imported: every entry of a ledger is booked.
//!
//! Identifiers derive from the person, the ledger's name and what the ledger says, never from where in the file it
//! stands, so a ledger can be imported again after it has grown. Two ledgers of one person have two names.

mod account_map;
mod assembly;
mod assertion;
mod balances;
mod balancing;
mod booked;
mod booking;
mod cents;
mod chunk;
mod commodity;
mod identity;
mod include;
mod ledger;
mod lots;
mod movement;
mod number;
mod own_accounts;
mod parse;
mod prices;
mod report;
mod rows;
mod source;
mod text;
mod unsupported;

use std::path::Path;

pub use account_map::AccountMap;
pub use identity::source;
pub use report::{Report, Rounded, Skipped};

use crate::record::User;
use crate::{Faults, Located};
use assembly::Assembly;
use commodity::Commodities;
use identity::Identity;
use jiff::civil::Date;
use lots::Lots;
use movement::Reader;
use own_accounts::OwnAccounts;
use prices::Prices;
use report::Notes;
use rows::Rows;

/// What a ledger turned into.
#[derive(Clone, Debug)]
pub struct Import {
    /// Banks, accounts, balances, securities, prices, holdings and transactions, in an order in which references
    /// point backwards. The person is not among them.
    pub records: Vec<Located>,
    /// What was left out, and what deserves a look.
    pub report: Report,
}

/// Reads a ledger and everything it includes for one person. `ledger` is a name that keeps several ledgers of one
/// person apart. `today` bounds current balances and holdings, and nothing else: later entries are planned ones.
/// `progress` is called now and then with the number of directives that are booked.
///
/// # Errors
///
/// Everything that is wrong with the ledger, each with file and line. Balances are asserted only in a ledger that
/// is otherwise sound, since one unreadable transaction would make every later assertion fail.
pub fn import(
    file: &Path,
    user: &User,
    ledger: &str,
    today: Date,
    map: &AccountMap,
    progress: &dyn Fn(u64),
) -> Result<Import, Faults> {
    let mut faults = Faults::default();
    let mut notes = Notes::default();
    let identity = Identity { user_id: user.user_id, ledger: ledger.to_owned() };
    let ledger = source::read(file, &mut notes, &mut faults);
    let booked = booking::book(&ledger, &mut faults, progress);
    end_if_faulty(&mut faults)?;

    let commodities = Commodities::from_ledger(&ledger);
    let booked = assertion::pad(&ledger, booked, &mut notes);
    assertion::check(&ledger, &booked, &commodities, &mut notes, &mut faults);
    let accounts = OwnAccounts::find(&ledger, &booked, &commodities, map, &identity);
    let reader = Reader { options: &ledger.options, commodities: &commodities, accounts: &accounts };
    let mut rows = Rows::new(reader, map, &identity);
    for transaction in &booked {
        if let Err(fault) = rows.add(transaction, &mut notes) {
            faults.add(fault);
        }
    }
    end_if_faulty(&mut faults)?;

    let prices = Prices::collect(&ledger, &booked, &commodities, &mut notes);
    let balances = balances::balances(&booked, &accounts, &commodities, &prices, &mut notes, &mut faults);
    let assembly = Assembly {
        identity: &identity,
        today,
        ledger: &ledger,
        accounts: &accounts,
        commodities: &commodities,
    };
    let mut records = assembly.accounts(&balances, &rows.accountless);
    records.extend(assembly.securities(&prices));
    records.extend(assembly.holdings(&Lots::at_end_of(today, &booked), &mut faults));
    end_if_faulty(&mut faults)?;
    records.extend(rows.records);
    Ok(Import { records, report: notes.finish() })
}

fn end_if_faulty(faults: &mut Faults) -> Result<(), Faults> {
    if faults.is_empty() { Ok(()) } else { Err(std::mem::take(faults)) }
}
