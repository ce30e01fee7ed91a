//! Reads a Beancount ledger as the records of one person.
//!
//! Each step is a module. `source` splits the files into directives and `parse` reads one directive. `booking`
//! determines every amount, with `lots` and `balancing`. `assertion` pads and checks balances. `commodity` separates
//! money from securities with their prices. `own_accounts` and `account_map` classify accounts. `movement` and `rows` make the
//! transactions, and `refund` links refunds to purchases; `balances` and `assembly` make all other records.
//! `map_change` compares two account maps.
//!
//! Rules of the import:
//!
//! - Each line under Income or Expenses becomes one transaction, on the own account that explains it best.
//! - Money back under Expenses is a `REFUND`, linked to its purchase if that is identified. A loss under Income is an
//!   expense.
//! - Changes of own accounts that no income or expense explains are transfers: two linked transactions.
//! - Opening balances, padding from equity and trades inside one account change balances only.
//! - An account has a balance of zero on the day before its `open` directive, and a balance for every day on which its
//!   value changed, price changes included.
//! - Every entry is booked, whatever its flag. A link identifies the purchase of a refund. Tags and links become
//!   tags, and accounts under Income and Expenses own categories. Flags, metadata and notes have no effect.
//!
//! Identifiers derive from the person, the name of the ledger and the content of an entry, never from its position in
//! the file. A ledger can therefore be imported again after it has grown. Two ledgers of one person need two names.
//!
//! ```no_run
//! use passbook_beancount::{AccountMap, import};
//! use passbook_records::record::User;
//!
//! # fn example(user: &User, today: jiff::civil::Date) -> Result<(), passbook_input::Faults> {
//! let file = std::path::Path::new("ledger.beancount");
//! let import = import(file, user, "main", today, &AccountMap::default(), &|_| {})?;
//! println!("{} records", import.records.len());
//! # Ok(())
//! # }
//! ```

mod account_map;
mod assembly;
mod assertion;
mod balances;
mod balancing;
mod booked;
mod booking;
mod commodity;
mod ledger;
mod ledger_file;
mod lots;
mod map_change;
mod movement;
mod number;
mod own_accounts;
mod own_category;
mod parse;
mod refund;
mod report;
mod rows;
mod source;
mod text;

use std::path::Path;

pub use account_map::AccountMap;
pub use ledger::source;
pub use map_change::{MapChange, MappedAccounts};
pub use report::{Report, Rounded, Skipped, UnlinkedRefund};

use assembly::Assembly;
use commodity::{Commodities, Prices};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::Identity;
use lots::Lots;
use movement::Reader;
use own_accounts::OwnAccounts;
use passbook_input::Faults;
use passbook_records::record::User;
use passbook_records::{FAULTS_LISTED_MAX, Located};
use report::Notes;
use rows::Rows;

/// The records of an imported ledger, and the report of the import.
#[derive(Clone, Debug)]
pub struct Import {
    /// Banks, accounts, balances, securities, prices, holdings, own categories and transactions. A record comes after the records that
    /// it refers to. The person is not among them.
    pub records: Vec<Located>,
    /// The parts of the ledger that were left out or changed.
    pub report: Report,
    /// The accounts that the account map applies to.
    pub mapped: MappedAccounts,
}

/// Reads a ledger and its included files for one person.
///
/// `ledger` is the name that distinguishes several ledgers of one person. `today` is the last day of current balances
/// and holdings; later entries are imported as planned transactions. `progress` is called with the number of directives
/// booked so far.
///
/// # Errors
///
/// Every fault of the ledger, with file and line. Balance assertions are checked only if all transactions could be
/// booked, because one unreadable transaction would make every later assertion fail.
pub fn import(
    file: &Path,
    user: &User,
    ledger: &str,
    today: Date,
    map: &AccountMap,
    progress: &dyn Fn(u64),
) -> Result<Import, Faults> {
    let mut faults = Faults::with_limit(FAULTS_LISTED_MAX);
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
            faults.push(fault);
        }
    }
    end_if_faulty(&mut faults)?;

    let prices = Prices::collect(&ledger, &booked, &commodities, &mut notes);
    let balances = balances::balances(&booked, &accounts, &commodities, &prices, &mut notes, &mut faults);
    let assembly = Assembly {
        identity: &identity,
        // A machine without the time zone uses UTC, whose noon is of the same day in all zones from UTC-12 to UTC+11.
        time_zone: TimeZone::get(&user.time_zone).unwrap_or(TimeZone::UTC),
        today,
        ledger: &ledger,
        accounts: &accounts,
        commodities: &commodities,
    };
    let mut records = assembly.accounts(&balances, &rows.accountless);
    records.extend(assembly.securities(&prices));
    records.extend(assembly.holdings(&Lots::at_end_of(today, &booked), &mut faults));
    end_if_faulty(&mut faults)?;
    let mut mapped = std::mem::take(&mut rows.mapped);
    records.extend(std::mem::take(&mut rows.own_categories).records());
    let rows = rows.finish(&mut notes);
    mapped.count_own(&accounts, &ledger.options, &rows);
    records.extend(rows);
    Ok(Import { records, report: notes.finish(), mapped })
}

fn end_if_faulty(faults: &mut Faults) -> Result<(), Faults> {
    if faults.is_empty() {
        Ok(())
    } else {
        Err(std::mem::replace(faults, Faults::with_limit(FAULTS_LISTED_MAX)))
    }
}
