//! Assigns to each category the code that an aggregator would have reported.

use passbook_domain::category::{Category, ExpenseCategory as Spent, IncomeCategory as Received};

/// Returns the aggregator's detailed code for a category, or `None` if an aggregator would not recognise the row.
pub(super) fn provider_category(category: Category) -> Option<&'static str> {
    match category {
        Category::Expense(spent) => expense_label(spent),
        Category::Income(Received::Salary) => Some("INCOME_SALARY"),
        Category::Income(Received::Dividend) => Some("INCOME_DIVIDENDS"),
        Category::Income(Received::Interest) => Some("INCOME_INTEREST_EARNED"),
        Category::Income(Received::Freelance) => Some("INCOME_CONTRACTOR"),
        Category::Income(Received::TransferIn) => Some("TRANSFER_IN_ACCOUNT_TRANSFER"),
        Category::Income(_) => None,
    }
}

fn expense_label(spent: Spent) -> Option<&'static str> {
    let label = match spent {
        Spent::Groceries => "FOOD_AND_DRINK_GROCERIES",
        Spent::Restaurant => "FOOD_AND_DRINK_RESTAURANT",
        Spent::FastFood => "FOOD_AND_DRINK_FAST_FOOD",
        Spent::Coffee => "FOOD_AND_DRINK_COFFEE",
        Spent::Books => "GENERAL_MERCHANDISE_BOOKSTORES_AND_NEWSSTANDS",
        Spent::Clothing => "GENERAL_MERCHANDISE_CLOTHING_AND_ACCESSORIES",
        Spent::Electronics => "GENERAL_MERCHANDISE_ELECTRONICS",
        Spent::Marketplace => "GENERAL_MERCHANDISE_ONLINE_MARKETPLACES",
        Spent::Pharmacy => "MEDICAL_PHARMACIES_AND_SUPPLEMENTS",
        Spent::Dentist => "MEDICAL_DENTAL_CARE",
        Spent::Cinema => "ENTERTAINMENT_TV_AND_MOVIES",
        Spent::VideoGames => "ENTERTAINMENT_VIDEO_GAMES",
        Spent::Fitness => "PERSONAL_CARE_GYMS_AND_FITNESS_CENTERS",
        Spent::Beauty => "PERSONAL_CARE_HAIR_AND_BEAUTY",
        Spent::Insurance => "GENERAL_SERVICES_INSURANCE",
        Spent::Donation => "GOVERNMENT_AND_NON_PROFIT_DONATIONS",
        Spent::PublicTransport => "TRANSPORTATION_PUBLIC_TRANSIT",
        Spent::Taxi => "TRANSPORTATION_TAXIS_AND_RIDE_SHARES",
        Spent::Flights => "TRAVEL_FLIGHTS",
        Spent::Lodging => "TRAVEL_LODGING",
        Spent::Vacation => "TRAVEL_OTHER_TRAVEL",
        Spent::Rent => "RENT_AND_UTILITIES_RENT",
        Spent::Energy => "RENT_AND_UTILITIES_GAS_AND_ELECTRICITY",
        Spent::Water => "RENT_AND_UTILITIES_WATER",
        Spent::Internet => "RENT_AND_UTILITIES_INTERNET_AND_CABLE",
        Spent::Phone => "RENT_AND_UTILITIES_TELEPHONE",
        Spent::TransferOut => "TRANSFER_OUT_ACCOUNT_TRANSFER",
        Spent::CashWithdrawal => "TRANSFER_OUT_WITHDRAWAL",
        Spent::CreditCardPayment => "LOAN_PAYMENTS_CREDIT_CARD_PAYMENT",
        _ => return None,
    };
    Some(label)
}
