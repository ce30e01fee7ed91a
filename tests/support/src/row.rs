//! A builder of transactions for tests, in which a test states only the values that it is about.

use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::transaction::{Transaction, TransactionType};
use passbook_domain::{Currency, Money};
use uuid::Uuid;

use crate::date;

/// A builder of one transaction. The transaction is posted, in euros and without a merchant, unless a method changes
/// this.
#[derive(Clone, Debug)]
pub struct Row {
    pub(crate) transaction: Transaction,
}

/// Creates an expense on `day`. `cents` is in hundredths of the currency.
pub fn expense(day: &str, category: ExpenseCategory, cents: i64) -> Row {
    Row::new(day, TransactionType::Expense, Category::Expense(category), cents)
}

/// Creates an income on `day`. `cents` is in hundredths of the currency.
pub fn income(day: &str, category: IncomeCategory, cents: i64) -> Row {
    Row::new(day, TransactionType::Income, Category::Income(category), cents)
}

/// Creates the outgoing leg of a transfer between the user's own accounts. `cents` is in hundredths of the currency.
pub fn internal_transfer(day: &str, cents: i64) -> Row {
    let category = Category::Expense(ExpenseCategory::TransferOut);
    Row::new(day, TransactionType::InternalTransfer, category, cents)
}

impl Row {
    fn new(day: &str, transaction_type: TransactionType, category: Category, cents: i64) -> Row {
        let amount = Money::new(cents, Currency::EUR);
        let transaction =
            Transaction::new(Uuid::nil(), date(day), transaction_type, category, amount, "Title");
        Row { transaction }
    }

    /// Sets the identifier. A row without one gets its number in the ledger, beginning with 1.
    #[must_use]
    pub fn id(mut self, id: u128) -> Row {
        self.transaction.id = Uuid::from_u128(id);
        self
    }

    /// Sets the currency.
    ///
    /// # Panics
    /// If the text is not a currency code.
    #[must_use]
    pub fn currency(mut self, code: &str) -> Row {
        self.transaction.currency = Currency::parse(code).expect("a currency code");
        self
    }

    /// Sets the account.
    #[must_use]
    pub fn account(mut self, id: u128) -> Row {
        self.transaction.account_id = Some(Uuid::from_u128(id));
        self
    }

    /// Sets the merchant.
    #[must_use]
    pub fn merchant(mut self, name: &str) -> Row {
        self.transaction.merchant_name = Some(name.to_owned());
        self
    }

    /// Marks the row as pending.
    #[must_use]
    pub fn pending(mut self) -> Row {
        self.transaction.pending = true;
        self
    }

    /// Links the row to the purchase that it refunds.
    #[must_use]
    pub fn refund_of(mut self, id: u128) -> Row {
        self.transaction.linked_transaction_id = Some(Uuid::from_u128(id));
        self
    }
}
