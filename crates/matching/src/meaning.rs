//! The meaning of one line: its category, its merchant, and whether it is marked as a transfer.

use passbook_domain::category::{Category, ExpenseCategory, IncomeCategory};
use passbook_domain::transaction::TransactionType;
use passbook_records::provider_category::{Direction, classify, is_known_code, unmatched};
use uuid::Uuid;

use super::rules::{Action, Facts, Reason, Rules};

/// The meaning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The category. A transfer has one too, for the case that it has no pair.
    pub category: Category,
    /// The reason for the category.
    pub reason: Reason,
    /// The position of the rule that gives own category and tags.
    pub own_rule: Option<u16>,
    /// True if a rule leaves the line out.
    pub is_skipped: bool,
    /// True if the line is marked as a transfer between own accounts.
    pub is_marked: bool,
}

impl Meaning {
    /// Returns the type of a row that is no half of a transfer.
    pub fn transaction_type(&self, cents: i64) -> TransactionType {
        match self.category {
            Category::Income(_) => TransactionType::Income,
            Category::Expense(_) if cents > 0 => TransactionType::Income,
            Category::Expense(_) => TransactionType::Expense,
        }
    }
}

/// Returns the own account that a line names as the other side. `own_account` returns the own account with an IBAN, a
/// number or a name.
pub fn counter_account(
    facts: &Facts<'_>,
    account: Uuid,
    own_account: &dyn Fn(&str) -> Option<Uuid>,
) -> Option<Uuid> {
    let named = |text: &str| own_account(text).filter(|other| *other != account);
    facts.party_account.and_then(named).or_else(|| facts.transfer_with.and_then(named))
}

/// Returns the meaning of a line. `counter` is the own account that the line names as the other side.
pub fn meaning(rules: &Rules, facts: &Facts<'_>, counter: Option<Uuid>) -> Meaning {
    let direction = if facts.cents > 0 { Direction::In } else { Direction::Out };
    let rule = rules.first_match(facts);
    let action = rule.map(|(_, action)| action);
    let found = category(rules, facts, direction, rule);
    let is_transfer_code = facts.code.is_some_and(|code| is_transfer_code(code, direction));
    let is_marked = counter.is_some()
        || facts.transfer_with.is_some()
        || action.is_some_and(|action| action.transfer)
        || is_transfer_code
        || facts.party.is_some_and(|party| rules.is_own_name(party));
    let is_categorised = found.is_some();
    let (category, reason) = found.unwrap_or_else(|| (uncategorized(direction), Reason::Nothing));
    let category = match is_marked && (!is_categorised || action.is_some_and(|action| action.transfer)) {
        true => unmatched(Category::Expense(ExpenseCategory::TransferOut), direction).1,
        false => category,
    };
    let own_rule = rules.own_words(facts);
    Meaning { category, reason, own_rule, is_skipped: action.is_some_and(|action| action.skip), is_marked }
}

/// Returns the category with its reason. `rule` is the rule that fits the line.
fn category(
    rules: &Rules,
    facts: &Facts<'_>,
    direction: Direction,
    rule: Option<(Reason, &Action)>,
) -> Option<(Category, Reason)> {
    if let Some(category) = facts.category.and_then(|name| rules.app_category(name)) {
        return Some((directed(category, direction), Reason::App));
    }
    if let Some((category, reason)) = rule.and_then(|(reason, action)| Some((action.category?, reason))) {
        return Some((directed(category, direction), reason));
    }
    if let Some((reason, _)) = rule.filter(|(_, action)| action.transfer) {
        return Some((uncategorized(direction), reason));
    }
    if facts.is_fee {
        let category = Category::Expense(ExpenseCategory::BankFees);
        return Some((directed(category, direction), Reason::BankType));
    }
    let code = facts.code?;
    if is_known_code(code) {
        return Some((classify(code, direction, false).1, Reason::Provider));
    }
    bank_type(code, direction).map(|category| (category, Reason::BankType))
}

/// Returns the fixed category for which an own category stands that a file or a rule brings. `name` is the category in
/// the words of the app; `cents` is the sum of its lines.
pub fn fixed_category(rules: &Rules, name: &str, cents: i64) -> Category {
    let direction = if cents > 0 { Direction::In } else { Direction::Out };
    rules.app_category(name).unwrap_or_else(|| uncategorized(direction))
}

/// Returns a category on the side of the direction. Money received in a category of expenses is a refund.
fn directed(category: Category, direction: Direction) -> Category {
    match (category, direction) {
        (Category::Expense(ExpenseCategory::Uncategorized), Direction::In)
        | (Category::Income(IncomeCategory::OtherIncome), Direction::Out) => uncategorized(direction),
        (category, _) if category.is_transfer() => unmatched(category, direction).1,
        (Category::Expense(_), Direction::In) => Category::Income(IncomeCategory::Refund),
        (Category::Income(_), Direction::Out) => uncategorized(direction),
        (category, _) => category,
    }
}

/// Returns the category of a row without any evidence.
fn uncategorized(direction: Direction) -> Category {
    match direction {
        Direction::In => Category::Income(IncomeCategory::OtherIncome),
        Direction::Out => Category::Expense(ExpenseCategory::Uncategorized),
    }
}

/// Returns true if a code says that the row is a transfer between accounts of one person.
fn is_transfer_code(code: &str, direction: Direction) -> bool {
    let is_internal = || classify(code, direction, true).0 == TransactionType::InternalTransfer;
    code == "XFER" || (is_known_code(code) && is_internal())
}

/// Returns the category of a bank's type of a transaction: `TRNTYPE` of OFX, the bank transaction code of ISO 20022 and the
/// transaction type of MT940.
fn bank_type(code: &str, direction: Direction) -> Option<Category> {
    use ExpenseCategory as E;
    use IncomeCategory as I;
    let last = code.rsplit('-').next().unwrap_or(code);
    let (out, into) = match last {
        "INT" | "INTR" | "NINT" => (E::InterestCharge, I::Interest),
        "SRVCHG" | "FEE" | "CHRG" | "NCHG" | "FEES" | "COMM" => (E::BankFees, I::Refund),
        "DIV" | "DVCA" | "NDIV" => (E::Uncategorized, I::Dividend),
        "ATM" | "CASH" | "CWDL" => (E::CashWithdrawal, I::OtherIncome),
        "SALA" => (E::Uncategorized, I::Salary),
        _ => return None,
    };
    Some(match direction {
        Direction::In => Category::Income(into),
        Direction::Out => Category::Expense(out),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning_of(rules: &str, facts: &Facts<'_>) -> (String, Reason, bool) {
        let rules = Rules::from_toml(rules, "rules.toml").unwrap();
        let own =
            |text: &str| text.strip_prefix("DE0")?.parse().ok().filter(|own| *own < 3).map(Uuid::from_u128);
        let counter = counter_account(facts, Uuid::from_u128(1), &own);
        let found = meaning(&rules, facts, counter);
        (found.category.as_str().to_owned(), found.reason, found.is_marked)
    }

    #[test]
    fn categories_have_an_order_of_sources() {
        let rules = "[[rule]]\ntext = 'Shop'\ncategory = 'PETS'";
        let code = Some("FOOD_AND_DRINK_COFFEE");
        let facts = Facts { text: "Shop", code, category: Some("Hobby"), cents: -1, ..Facts::default() };
        assert_eq!(meaning_of(rules, &facts), ("HOBBY".to_owned(), Reason::App, false));
        let facts = Facts { category: Some("Unknown"), ..facts };
        assert_eq!(meaning_of(rules, &facts), ("PETS".to_owned(), Reason::Rule(0), false));
        let facts = Facts { text: "x", ..facts };
        assert_eq!(meaning_of(rules, &facts), ("COFFEE".to_owned(), Reason::Provider, false));
        let facts = Facts { code: Some("PMNT-CCRD-CWDL"), ..facts };
        assert_eq!(meaning_of(rules, &facts), ("CASH_WITHDRAWAL".to_owned(), Reason::BankType, false));
        let facts = Facts { code: None, ..facts };
        assert_eq!(meaning_of(rules, &facts), ("UNCATEGORIZED".to_owned(), Reason::Nothing, false));
        let fee = Facts { is_fee: true, ..facts };
        assert_eq!(meaning_of(rules, &fee), ("BANK_FEES".to_owned(), Reason::BankType, false));
        let facts = Facts { cents: 1, ..facts };
        assert_eq!(meaning_of(rules, &facts), ("OTHER_INCOME".to_owned(), Reason::Nothing, false));
    }

    #[test]
    fn own_category_stands_for_the_category_of_its_name() {
        let rules = Rules::from_toml("[categories]\n'Eating out' = 'RESTAURANT'", "rules.toml").unwrap();
        for (name, cents, category) in [
            ("Fun: Eating out", 1, "RESTAURANT"),
            ("Groceries", -1, "GROCERIES"),
            ("Stuff", -1, "UNCATEGORIZED"),
            ("Stuff", 1, "OTHER_INCOME"),
        ] {
            assert_eq!(fixed_category(&rules, name, cents).as_str(), category, "{name}");
        }
    }

    #[test]
    fn rule_with_own_words_hides_no_other_rule() {
        let rule = "[[rule]]\ntext = 'Shop'\n";
        let text =
            [rule, "own_category = 'Fun: Games'\ntags = ['work']\n", rule, "category = 'PETS'\n"].concat();
        let rules = Rules::from_toml(&text, "rules.toml").unwrap();
        let found = meaning(&rules, &Facts { text: "Shop", cents: -1, ..Facts::default() }, None);
        assert_eq!((found.reason, found.own_rule), (Reason::Rule(1), Some(0)));
        let (action, _) = rules.action(Reason::Rule(0)).unwrap();
        assert_eq!((action.own_category.as_deref(), action.tags.len()), (Some("Fun: Games"), 1));
    }

    #[test]
    fn money_received_in_a_category_of_expenses_is_a_refund() {
        let facts = Facts { text: "REWE", cents: 500, ..Facts::default() };
        assert_eq!(meaning_of("", &facts).0, "REFUND");
    }

    #[test]
    fn transfers_are_marked_by_account_code_rule_and_own_name() {
        let plain = Facts { text: "x", cents: -5, ..Facts::default() };
        for facts in [
            Facts { party_account: Some("DE02"), ..plain },
            Facts { transfer_with: Some(""), ..plain },
            Facts { code: Some("XFER"), ..plain },
            Facts { code: Some("TRANSFER_OUT_SAVINGS"), ..plain },
            Facts { party: Some("jane  doe"), ..plain },
            Facts { text: "Umbuchung", ..plain },
        ] {
            let (category, _, is_marked) = meaning_of("own_names = ['Jane Doe']", &facts);
            assert_eq!((category.as_str(), is_marked), ("TRANSFER_OUT", true), "{facts:?}");
        }
        // The account of the line itself, and the account of somebody else.
        for account in ["DE01", "DE03"] {
            assert!(!meaning_of("", &Facts { party_account: Some(account), ..plain }).2, "{account}");
        }
    }
}
