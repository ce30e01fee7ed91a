//! The accounts under Income and Expenses as own categories of the person.

use std::collections::HashSet;

use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_input::Fault;
use passbook_records::Located;
use passbook_records::id::own_category;
use passbook_records::record::{NAME_CHARS_MAX, OwnCategory, Record};
use uuid::Uuid;

use super::account_map::AccountMap;
use super::ledger::{Place, Root};

/// The own categories so far. Accounts whose names differ in case only are one category, which has the first spelling.
#[derive(Debug, Default)]
pub(super) struct OwnCategories {
    seen: HashSet<Uuid>,
    records: Vec<Located>,
}

impl OwnCategories {
    /// Returns the identifier of an account's category, which is added with its parent if it is new. `Expenses:Food:Market`
    /// is `Market` in `Food`, and `Income:Salary` is `Salary` in `Income`.
    ///
    /// # Errors
    /// The fault of a name that is too long.
    pub(super) fn of_account(
        &mut self,
        user_id: Uuid,
        account: &str,
        root: Root,
        map: &AccountMap,
        place: &Place,
    ) -> Result<Uuid, Fault> {
        let start = if root == Root::Expenses { account.find(':').map_or(0, |at| at + 1) } else { 0 };
        if account[start..].chars().count() > NAME_CHARS_MAX {
            let rule =
                format!("an account under Income or Expenses must be at most {NAME_CHARS_MAX} characters");
            return Err(place.fault(rule).received(account));
        }
        let parent = account[start..].split_once(':').map(|(parent, _)| &account[..start + parent.len()]);
        let parent = parent.map(|parent| (parent, &parent[start..]));
        let name = account[start..].split_once(':').map_or(&account[start..], |(_, name)| name);
        let mut add = |account: &str, name: &str, parent: Option<&str>| {
            let own_category_id = own_category(user_id, parent, name);
            let category = match root {
                Root::Income => Category::Income(map.income(account).unwrap_or(IncomeCategory::OtherIncome)),
                _ => Category::Expense(map.expense(account).unwrap_or(ExpenseCategory::Uncategorized)),
            };
            let parent_id = parent.map(|parent| own_category(user_id, None, parent));
            let name = name.to_owned();
            let record = OwnCategory { user_id, own_category_id, name, category, parent_id };
            let located = Located { place: account.to_owned(), record: Record::OwnCategory(record) };
            if self.seen.insert(own_category_id) {
                self.records.push(located);
            }
            own_category_id
        };
        if let Some((account, name)) = parent {
            add(account, name, None);
        }
        Ok(add(account, name, parent.map(|(_, name)| name)))
    }

    /// Returns the records, each after its parent.
    pub(super) fn records(self) -> Vec<Located> {
        self.records
    }
}
