//! The categories of expenses and the categories of income. No wire string (name in JSON) is in both sets.

use crate::error::Invalid;
use crate::string_enum::{json_schema, string_enum};

string_enum! {
    /// The category of an expense.
    ExpenseCategory {
        Groceries = "GROCERIES", Restaurant = "RESTAURANT", FastFood = "FAST_FOOD", Coffee = "COFFEE", Alcohol = "ALCOHOL", FoodAndDrink = "FOOD_AND_DRINK",
        Rent = "RENT", Mortgage = "MORTGAGE", Furniture = "FURNITURE", HomeMaintenance = "HOME_MAINTENANCE",
        Energy = "ENERGY", Water = "WATER", Internet = "INTERNET", Phone = "PHONE", Utilities = "UTILITIES",
        Fuel = "FUEL", Parking = "PARKING", Tolls = "TOLLS", PublicTransport = "PUBLIC_TRANSPORT", Taxi = "TAXI", CarPayment = "CAR_PAYMENT", CarMaintenance = "CAR_MAINTENANCE", Transport = "TRANSPORT",
        Clothing = "CLOTHING", Electronics = "ELECTRONICS", GiftsGiven = "GIFTS_GIVEN", Marketplace = "MARKETPLACE", GeneralStore = "GENERAL_STORE", OfficeSupplies = "OFFICE_SUPPLIES", Pets = "PETS", Tobacco = "TOBACCO", Shopping = "SHOPPING",
        Books = "BOOKS", Cinema = "CINEMA", Concert = "CONCERT", Hobby = "HOBBY", Music = "MUSIC", Nightlife = "NIGHTLIFE", Sports = "SPORTS", Subscriptions = "SUBSCRIPTIONS", VideoGames = "VIDEO_GAMES", Events = "EVENTS", Gambling = "GAMBLING", Entertainment = "ENTERTAINMENT",
        Vacation = "VACATION", Flights = "FLIGHTS", Lodging = "LODGING", CarRental = "CAR_RENTAL",
        Doctor = "DOCTOR", Dentist = "DENTIST", EyeCare = "EYE_CARE", Pharmacy = "PHARMACY", Veterinary = "VETERINARY", Health = "HEALTH",
        Beauty = "BEAUTY", Fitness = "FITNESS", Laundry = "LAUNDRY", PersonalCare = "PERSONAL_CARE",
        Childcare = "CHILDCARE", Education = "EDUCATION", Insurance = "INSURANCE", Postage = "POSTAGE", ProfessionalServices = "PROFESSIONAL_SERVICES", Storage = "STORAGE", Services = "SERVICES",
        BankFees = "BANK_FEES", InterestCharge = "INTEREST_CHARGE", LoanPayment = "LOAN_PAYMENT", StudentLoan = "STUDENT_LOAN", CreditCardPayment = "CREDIT_CARD_PAYMENT", Taxes = "TAXES", Donation = "DONATION", Government = "GOVERNMENT",
        TransferOut = "TRANSFER_OUT", CashWithdrawal = "CASH_WITHDRAWAL",
        Uncategorized = "UNCATEGORIZED",
    }
}

string_enum! {
    /// The category of an income.
    IncomeCategory {
        Dividend = "DIVIDEND", Gift = "GIFT", Interest = "INTEREST", Investment = "INVESTMENT", Pension = "PENSION", Refund = "REFUND", Salary = "SALARY", TransferIn = "TRANSFER_IN", Benefits = "BENEFITS", Freelance = "FREELANCE", RentalIncome = "RENTAL_INCOME", OtherIncome = "OTHER_INCOME",
    }
}

string_enum! {
    /// A group of expense categories.
    CategoryGroup {
        Food = "FOOD", Housing = "HOUSING", Utilities = "UTILITIES", Transport = "TRANSPORT", Shopping = "SHOPPING", Leisure = "LEISURE", Travel = "TRAVEL", Health = "HEALTH", Personal = "PERSONAL", Services = "SERVICES", Finance = "FINANCE", Movement = "MOVEMENT", Other = "OTHER",
    }
}

impl ExpenseCategory {
    /// Returns the group of the category.
    pub const fn group(self) -> CategoryGroup {
        use ExpenseCategory as E;
        match self {
            E::Groceries | E::Restaurant | E::FastFood | E::Coffee | E::Alcohol | E::FoodAndDrink => {
                CategoryGroup::Food
            }
            E::Rent | E::Mortgage | E::Furniture | E::HomeMaintenance => CategoryGroup::Housing,
            E::Energy | E::Water | E::Internet | E::Phone | E::Utilities => CategoryGroup::Utilities,
            E::Fuel
            | E::Parking
            | E::Tolls
            | E::PublicTransport
            | E::Taxi
            | E::CarPayment
            | E::CarMaintenance
            | E::Transport => CategoryGroup::Transport,
            E::Clothing
            | E::Electronics
            | E::GiftsGiven
            | E::Marketplace
            | E::GeneralStore
            | E::OfficeSupplies
            | E::Pets
            | E::Tobacco
            | E::Shopping => CategoryGroup::Shopping,
            E::Books
            | E::Cinema
            | E::Concert
            | E::Hobby
            | E::Music
            | E::Nightlife
            | E::Sports
            | E::Subscriptions
            | E::VideoGames
            | E::Events
            | E::Gambling
            | E::Entertainment => CategoryGroup::Leisure,
            E::Vacation | E::Flights | E::Lodging | E::CarRental => CategoryGroup::Travel,
            E::Doctor | E::Dentist | E::EyeCare | E::Pharmacy | E::Veterinary | E::Health => {
                CategoryGroup::Health
            }
            E::Beauty | E::Fitness | E::Laundry | E::PersonalCare => CategoryGroup::Personal,
            E::Childcare
            | E::Education
            | E::Insurance
            | E::Postage
            | E::ProfessionalServices
            | E::Storage
            | E::Services => CategoryGroup::Services,
            E::BankFees
            | E::InterestCharge
            | E::LoanPayment
            | E::StudentLoan
            | E::CreditCardPayment
            | E::Taxes
            | E::Donation
            | E::Government => CategoryGroup::Finance,
            E::TransferOut | E::CashWithdrawal => CategoryGroup::Movement,
            E::Uncategorized => CategoryGroup::Other,
        }
    }
}

/// The category of a transaction, from either set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// The category of an expense.
    Expense(ExpenseCategory),
    /// The category of an income.
    Income(IncomeCategory),
}

impl Category {
    /// Returns the name of the category in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Category::Expense(category) => category.as_str(),
            Category::Income(category) => category.as_str(),
        }
    }

    /// Returns true if an internal transfer can have the category.
    pub const fn is_transfer(self) -> bool {
        matches!(
            self,
            Category::Expense(ExpenseCategory::TransferOut | ExpenseCategory::CreditCardPayment)
                | Category::Income(IncomeCategory::TransferIn)
        )
    }

    /// Returns true if payments of the category are usually collected or paid out on a schedule. The amount may differ
    /// each time, as with energy.
    pub const fn is_billed(self) -> bool {
        use ExpenseCategory as E;
        use IncomeCategory as I;
        matches!(
            self,
            Category::Expense(
                E::Rent
                    | E::Mortgage
                    | E::Energy
                    | E::Water
                    | E::Internet
                    | E::Phone
                    | E::Utilities
                    | E::CarPayment
                    | E::Subscriptions
                    | E::Fitness
                    | E::Childcare
                    | E::Education
                    | E::Insurance
                    | E::Storage
                    | E::BankFees
                    | E::InterestCharge
                    | E::LoanPayment
                    | E::StudentLoan
                    | E::Taxes
            ) | Category::Income(
                I::Salary | I::Pension | I::Benefits | I::Interest | I::Dividend | I::RentalIncome
            )
        )
    }

    /// Returns true if people spend on the category by habit, such as the same pizza every Friday. Such payments look
    /// regular, but nobody collects them.
    pub const fn is_habitual(self) -> bool {
        use ExpenseCategory as E;
        let Category::Expense(category) = self else { return false };
        matches!(
            category,
            E::Restaurant
                | E::FastFood
                | E::Coffee
                | E::Alcohol
                | E::Tobacco
                | E::Fuel
                | E::Taxi
                | E::Cinema
                | E::Nightlife
                | E::CashWithdrawal
        )
    }

    /// Returns true if each payment of the category is a separate decision, such as travel or a present. Two such
    /// payments a year apart are chance or a habit, not an annual bill.
    pub const fn is_occasional(self) -> bool {
        use ExpenseCategory as E;
        use IncomeCategory as I;
        let category = match self {
            Category::Expense(category) => category,
            Category::Income(category) => {
                return matches!(category, I::Gift | I::Investment | I::TransferIn | I::OtherIncome);
            }
        };
        matches!(category.group(), CategoryGroup::Travel | CategoryGroup::Food | CategoryGroup::Shopping)
            || matches!(
                category,
                E::Furniture
                    | E::HomeMaintenance
                    | E::CarMaintenance
                    | E::Fuel
                    | E::Taxi
                    | E::Cinema
                    | E::Concert
                    | E::Nightlife
                    | E::Events
            )
    }

    /// Returns the category of money that is sent to another own account: the payment of a credit card, or a transfer.
    pub fn of_transfer_to(is_credit_card: bool) -> ExpenseCategory {
        if is_credit_card { ExpenseCategory::CreditCardPayment } else { ExpenseCategory::TransferOut }
    }

    /// Parses a wire string of either set.
    ///
    /// # Errors
    ///
    /// An [`Invalid`] that lists every allowed string.
    pub fn parse(text: &str) -> Result<Category, Invalid> {
        let expense = ExpenseCategory::from_wire(text).map(Category::Expense);
        let category = expense.or_else(|| IncomeCategory::from_wire(text).map(Category::Income));
        category.ok_or_else(|| Invalid::not_one_of(Category::wire_strings()))
    }

    /// Returns the names of all categories in JSON, those of expenses first.
    pub fn wire_strings() -> impl Iterator<Item = &'static str> {
        let expense = ExpenseCategory::ALL.iter().map(|category| category.as_str());
        expense.chain(IncomeCategory::ALL.iter().map(|category| category.as_str()))
    }
}

impl serde::Serialize for Category {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

json_schema!(Category, "Category", inline: false, {
    "type": "string", "enum": Category::wire_strings().collect::<Vec<_>>()
});
