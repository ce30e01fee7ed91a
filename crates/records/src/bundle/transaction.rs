//! Transactions of a bundle, and the rules that make them income, an expense or a transfer.

use jiff::civil::Date;
use passbook_domain::Currency;
use passbook_domain::category::{Category, IncomeCategory};
use passbook_domain::transaction::TransactionType;
use passbook_input::{Fault, Faults};
use serde_json::json;
use uuid::Uuid;

use super::element::{Element, element};
use super::text::{CategoryPath, SourceId, Tags, Text};
use super::value::{Flag, Magnitude};
use crate::id::{derive, own_category};
use crate::provider_category::{Direction, classify, unmatched};
use crate::record::{self, NOTE_CHARS_MAX, Record};

element! {
    /// A transaction on an account. It has either `type` and `category`, or `direction` and `provider_category`, from
    /// which type and category are derived.
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
        /// The transaction's identifier at the source.
        id: SourceId,
        /// The `id` of the account.
        account: SourceId,
        /// The bank's posting date; for a pending row the date of the transaction.
        date: Date,
        /// Income, an expense, or a transfer between own accounts. A transfer whose counterpart is neither linked nor
        /// outside is stored as income or an expense, by its category.
        r#type: Option<TransactionType>,
        /// The category, which must belong to `type`. A transfer has `TRANSFER_IN` for money received, `TRANSFER_OUT`
        /// or `CREDIT_CARD_PAYMENT` for money sent.
        category: Option<Category>,
        /// The direction of the money, if `provider_category` determines type and category.
        direction: Option<Direction>,
        /// The amount without a sign, in hundredths of the currency's major unit, for every currency: 1000 yen are
        /// 100000.
        amount_cents: Magnitude,
        /// The currency of the amount.
        currency: Currency,
        /// The bank's booking text.
        title: Text<1000>,
        /// True until the bank has posted the transaction.
        pending: Flag<false>,
        /// The aggregator's personal-finance category, such as `FOOD_AND_DRINK_COFFEE`.
        provider_category: Option<Text<200>>,
        /// The merchant: the payee, or the payer of an income.
        merchant_name: Option<Text<200>>,
        /// The `id` of the other leg of a transfer (an `INTERNAL_TRANSFER` in the other direction, on another account),
        /// of the purchase that a refund refunds, or of the pending row that this posted row replaces. With a transfer
        /// code in `provider_category`, the link means the other leg; to replace a pending row with such a code, give
        /// `type` and `category`.
        linked_transaction: Option<SourceId>,
        /// True for a transfer to or from an own account that is not in Passbook. The transfer then counts neither as
        /// income nor as an expense.
        counterpart_outside: Flag<false>,
        /// The own category: its name, or `Parent: Name` if it has a parent.
        own_category: Option<CategoryPath>,
        /// The tags, in any order.
        tags: Tags,
        /// A note of the owner. The bank's text is `title`.
        note: Option<Text<NOTE_CHARS_MAX>>,
    }
}

impl Element for Transaction {
    fn record(self, place: &str, faults: &mut Faults) -> Record {
        let (transaction_type, category) = self.classified(place, faults);
        if self.counterpart_outside.0
            && (transaction_type != TransactionType::InternalTransfer || self.linked_transaction.is_some())
        {
            let rule = "must not be given unless the row is a transfer without linked_transaction";
            faults.push(Fault::new(format!("{place}.counterpart_outside"), rule).received("true"));
        }
        if let Some(linked) = self.linked_transaction.as_ref().filter(|linked| **linked == self.id) {
            let fault =
                Fault::new(format!("{place}.linked_transaction"), "must not be the transaction itself");
            faults.push(fault.received(format!("{:?}", linked.0)));
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
            own_category_id: self.own_category.map(|path| own_category(self.user, None, &path.0)),
            tags: self.tags.0.into_iter().map(|tag| tag.0).collect(),
            note: self.note.map(|note| note.0),
        })
    }
}

impl Transaction {
    /// Returns type and category of the transaction. After a fault the returned value is not used.
    fn classified(&self, place: &str, faults: &mut Faults) -> (TransactionType, Category) {
        const PLACEHOLDER: (TransactionType, Category) =
            (TransactionType::Income, Category::Income(IncomeCategory::OtherIncome));
        let mut reject = |key: &str, rule: &str| faults.push(Fault::new(format!("{place}.{key}"), rule));
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
                    faults.push(fault.received(format!("{:?}", category.as_str())));
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
        PLACEHOLDER
    }

    /// Returns the given type and category. A transfer without a counterpart becomes income or an expense, by its
    /// direction.
    fn explicit(&self, kind: TransactionType, category: Category) -> (TransactionType, Category) {
        match (kind, category) {
            (TransactionType::InternalTransfer, _) if self.has_counterpart() => (kind, category),
            (TransactionType::InternalTransfer, Category::Income(_)) => unmatched(category, Direction::In),
            (TransactionType::InternalTransfer, Category::Expense(_)) => unmatched(category, Direction::Out),
            _ => (kind, category),
        }
    }

    /// Returns true if the transfer has a known other leg. Elements are read one at a time, so the linked row cannot be
    /// inspected here; the loader rejects a link that does not name the other leg.
    fn has_counterpart(&self) -> bool {
        self.linked_transaction.is_some() || self.counterpart_outside.0
    }
}

/// Returns a rule if the category does not belong to the type, otherwise `None`.
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
