//! A transaction in a bundle: what moved, and by which rule it is income, an expense or neither.

use domain::Currency;
use domain::category::{Category, IncomeCategory};
use domain::transaction::TransactionType;
use jiff::civil::Date;
use serde_json::json;
use uuid::Uuid;

use super::element::{Element, element};
use super::text::{SourceId, Text};
use super::value::{Flag, Magnitude};
use crate::id::derive;
use crate::provider_category::{Direction, classify, unmatched};
use crate::record::{self, Record};
use crate::{Fault, Faults};

element! {
    /// A movement on an account. It gives either `type` and `category`, or `direction` and
    /// `provider_category`, from which type and category follow.
    Transaction, further ("oneOf", json!([
        {
            "required": ["type", "category"],
            "properties": { "direction": false }
        },
        {
            "required": ["direction", "provider_category"],
            "properties": { "type": false, "category": false }
        }
    ])); {
        /// The user's identifier.
        user: Uuid,
        /// Its identifier at the source.
        id: SourceId,
        /// The `id` of the account.
        account: SourceId,
        /// The bank's posting date; for a pending row the day of the transaction.
        date: Date,
        /// Whether it is income, an expense, or a transfer between own accounts. A transfer whose counterpart
        /// is neither linked nor outside is stored as income or an expense, by its category.
        r#type: Option<TransactionType>,
        /// Its category, of the side that `type` says. A transfer's is `TRANSFER_IN` when money came in,
        /// `TRANSFER_OUT` or `CREDIT_CARD_PAYMENT` when it went out.
        category: Option<Category>,
        /// Which way the money went, where `provider_category` is to decide the rest.
        direction: Option<Direction>,
        /// A magnitude in hundredths of the currency's major unit, for every currency: 1000 yen are 100000.
        amount_cents: Magnitude,
        /// The currency of the amount.
        currency: Currency,
        /// What the bank says about it.
        title: Text<1000>,
        /// True while the bank has not posted it.
        pending: Flag<false>,
        /// The aggregator's personal-finance category, such as `FOOD_AND_DRINK_COFFEE`.
        provider_category: Option<Text<200>>,
        /// Who was paid, or who paid.
        merchant_name: Option<Text<200>>,
        /// The `id` of the other leg of a transfer (an `INTERNAL_TRANSFER` in the other direction, on another
        /// account), of the purchase that a refund refunds, or of the pending row that this posted row replaces.
        /// Under a transfer code it is taken for the other leg; a row that replaces a pending one under such a
        /// code gives `type` and `category` itself.
        linked_transaction: Option<SourceId>,
        /// True for a transfer to or from an account of one's own that is not in Passbook: it then counts
        /// neither as income nor as an expense.
        counterpart_outside: Flag<false>,
    }
}

impl Element for Transaction {
    fn record(self, place: &str, faults: &mut Faults) -> Record {
        let (transaction_type, category) = self.classified(place, faults);
        if self.counterpart_outside.0
            && (transaction_type != TransactionType::InternalTransfer || self.linked_transaction.is_some())
        {
            let rule = "must not be given unless the row is a transfer without linked_transaction";
            faults.add(Fault::new(format!("{place}.counterpart_outside"), rule).received("true"));
        }
        if let Some(linked) = self.linked_transaction.as_ref().filter(|linked| **linked == self.id) {
            let fault =
                Fault::new(format!("{place}.linked_transaction"), "must not be the transaction itself");
            faults.add(fault.received(format!("{:?}", linked.0)));
        }
        let derived = |id: &SourceId| derive(self.user, "transaction", &id.0);
        Record::Transaction(record::Transaction {
            user_id: self.user,
            transaction_id: derived(&self.id),
            account_id: derive(self.user, "account", &self.account.0),
            date: self.date,
            transaction_type,
            category,
            amount_cents: self.amount_cents.0,
            currency: self.currency,
            pending: self.pending.0,
            linked_transaction_id: self.linked_transaction.as_ref().map(derived),
            title: self.title.0,
            provider_category: self.provider_category.map(|code| code.0),
            merchant_name: self.merchant_name.map(|name| name.0),
        })
    }
}

impl Transaction {
    /// Its type and category. After a fault the answer is of no meaning, and the element is refused.
    fn classified(&self, place: &str, faults: &mut Faults) -> (TransactionType, Category) {
        const NOTHING: (TransactionType, Category) =
            (TransactionType::Income, Category::Income(IncomeCategory::OtherIncome));
        let mut reject = |key: &str, rule: &str| faults.add(Fault::new(format!("{place}.{key}"), rule));
        match (self.direction, self.r#type, self.category) {
            (Some(direction), None, None) => match &self.provider_category {
                Some(code) => return classify(&code.0, direction, self.has_counterpart()),
                None => reject("provider_category", "must be given with direction"),
            },
            (Some(_), given_type, given_category) => {
                let rule = "must not be given with direction: provider_category decides it";
                given_type.iter().for_each(|_| reject("type", rule));
                given_category.iter().for_each(|_| reject("category", rule));
            }
            (None, Some(kind), Some(category)) => match side_fault(kind, category) {
                None => return self.explicit(kind, category),
                Some(rule) => {
                    let fault = Fault::new(format!("{place}.category"), rule);
                    faults.add(fault.received(format!("{:?}", category.as_str())));
                }
            },
            (None, given_type, given_category) => {
                if given_type.is_none() {
                    reject("type", "must be given, or else direction and provider_category");
                }
                if given_category.is_none() {
                    reject("category", "must be given, or else direction and provider_category");
                }
            }
        }
        NOTHING
    }

    /// What the row says, but for a transfer without a counterpart, which counts by its direction.
    fn explicit(&self, kind: TransactionType, category: Category) -> (TransactionType, Category) {
        match (kind, category) {
            (TransactionType::InternalTransfer, _) if self.has_counterpart() => (kind, category),
            (TransactionType::InternalTransfer, Category::Income(_)) => unmatched(category, Direction::In),
            (TransactionType::InternalTransfer, Category::Expense(_)) => unmatched(category, Direction::Out),
            _ => (kind, category),
        }
    }

    /// Whether the other leg is known. What a link names cannot be known here, where elements are read one at a
    /// time: the loader refuses one that names no other leg.
    fn has_counterpart(&self) -> bool {
        self.linked_transaction.is_some() || self.counterpart_outside.0
    }
}

/// Why a category does not go with a type, if it does not.
fn side_fault(kind: TransactionType, category: Category) -> Option<&'static str> {
    match (kind, category, category.as_str()) {
        (TransactionType::Income, Category::Income(_), _)
        | (TransactionType::Expense, Category::Expense(_), _) => None,
        (TransactionType::InternalTransfer, _, "TRANSFER_IN" | "TRANSFER_OUT" | "CREDIT_CARD_PAYMENT") => {
            None
        }
        (TransactionType::Income, ..) => Some("must be an income category, because type is INCOME"),
        (TransactionType::Expense, ..) => Some("must be an expense category, because type is EXPENSE"),
        (TransactionType::InternalTransfer, ..) => Some(
            "must be TRANSFER_IN, TRANSFER_OUT or CREDIT_CARD_PAYMENT, because type is INTERNAL_TRANSFER",
        ),
    }
}
