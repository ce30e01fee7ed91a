//! The bills and subscriptions of the household: the days on which they are due, and the amounts.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};
use passbook_domain::category::ExpenseCategory as Spent;

use super::accounts::OwnAccount;
use super::calendar::{Generator, Window, business_day_from, day_number, in_month, month_number};
use super::ledger::{Ledger, NewTransaction};
use Amount::{Between, EuroEveryEighteenMonths, EveryJanuary, Fixed};
use Cadence::{CancelledMonthsAgo, Fortnightly, InMonths, Monthly, MonthlyBanking, Weekly};

/// Adds every bill and every subscription payment.
pub(super) fn write(ledger: &mut Ledger) {
    for payment in BILLS.iter().chain(SUBSCRIPTIONS) {
        for due in payment.cadence.due_days(ledger.window) {
            let entry = NewTransaction::expense(
                payment.account,
                due,
                payment.category,
                payment.amount.cents_on(payment.title, due),
            )
            .title(payment.title);
            ledger.add(match payment.merchant {
                Some(name) => entry.merchant(name),
                None => entry,
            });
        }
    }
}

const fn bill(
    merchant: Option<&'static str>,
    title: &'static str,
    category: Spent,
    cadence: Cadence,
    amount: Amount,
) -> RecurringPayment {
    RecurringPayment { merchant, title, account: OwnAccount::Checking, category, cadence, amount }
}

/// Every bill. The rent is booked on the 1st, also when banks are closed.
#[rustfmt::skip]
static BILLS: &[RecurringPayment] = &[
    bill(None, "DAUERAUFTRAG MIETE WHG 3.OG LI HAUSVERWALTUNG KASTNER", Spent::Rent, Monthly(1), EveryJanuary(118_000, 2_000)),
    bill(Some("Vattenfall"), "SEPA-LASTSCHRIFT VATTENFALL EUROPE SALES ABSCHLAG STROM/GAS", Spent::Energy, MonthlyBanking(4), EveryJanuary(8_400, 300)),
    bill(Some("Hamburg Wasser"), "HAMBURGER WASSERWERKE ABSCHLAG", Spent::Water, InMonths(&[2, 5, 8, 11], 15), Fixed(7_260)),
    bill(Some("1&1"), "1&1 TELECOM GMBH DSL RECHNUNG", Spent::Internet, MonthlyBanking(10), Fixed(3_999)),
    bill(Some("Telekom"), "TELEKOM DEUTSCHLAND MOBILFUNK", Spent::Phone, MonthlyBanking(12), Between(1_995, 2_695)),
    bill(Some("ARD ZDF Beitragsservice"), "RUNDFUNK ARD, ZDF, DRADIO", Spent::Services, InMonths(&[1, 4, 7, 10], 15), Fixed(5_508)),
    bill(Some("Allianz"), "ALLIANZ LEBENSVERS. BU-RENTE", Spent::Insurance, MonthlyBanking(2), Fixed(5_430)),
    bill(Some("HUK-COBURG"), "HUK-COBURG HAUSRAT JAHRESBEITRAG", Spent::Insurance, InMonths(&[3], 1), EveryJanuary(11_280, 240)),
    bill(Some("HUK-COBURG"), "HUK-COBURG PRIVATHAFTPFLICHT", Spent::Insurance, InMonths(&[10], 1), Fixed(6_912)),
    bill(Some("HVV"), "HVV DEUTSCHLANDTICKET ABO", Spent::PublicTransport, MonthlyBanking(1), EveryJanuary(4_900, 500)),
    bill(Some("FitnessLoft"), "FITNESSLOFT ALTONA MITGLIEDSBEITRAG", Spent::Fitness, MonthlyBanking(1), Fixed(3_490)),
    bill(Some("TSV Ottensen"), "TSV OTTENSEN HALBJAHRESBEITRAG", Spent::Sports, InMonths(&[1, 7], 20), Fixed(9_600)),
    bill(Some("Ärzte ohne Grenzen"), "AERZTE OHNE GRENZEN SPENDE", Spent::Donation, MonthlyBanking(15), Fixed(1_500)),
    bill(Some("Die Gemüsekiste"), "GEMUESEKISTE WOCHENLIEFERUNG", Spent::Groceries, Weekly(Weekday::Thursday), Fixed(2_490)),
    bill(Some("Putzfee Hamburg"), "PUTZFEE HAMBURG GMBH REINIGUNG", Spent::Services, Fortnightly(Weekday::Wednesday), Fixed(4_200)),
    bill(Some("Zahnärztin Dr. Çelik"), "DR. CELIK ZAHNAERZTIN PZR", Spent::Dentist, InMonths(&[4, 10], 22), Fixed(9_800)),
    bill(None, "BARGELDAUSZAHLUNG GAA 4471 HAMBURG", Spent::CashWithdrawal, Monthly(18), Fixed(6_000)),
    bill(None, "PAYPAL *LVOGT GETEILTE RECHNUNG", Spent::TransferOut, InMonths(&[2, 6, 9, 12], 11), Between(1_500, 4_200)),
    bill(None, "LASTSCHRIFT 000481277 REF 7QX2", Spent::Uncategorized, InMonths(&[1, 5, 9], 26), Between(780, 2_940)),
    bill(None, "KONTOFUEHRUNG QUARTAL", Spent::BankFees, InMonths(&[3, 6, 9, 12], 30), Fixed(990)),
];

const fn subscription(
    merchant: &'static str,
    title: &'static str,
    account: OwnAccount,
    cadence: Cadence,
    amount: Amount,
) -> RecurringPayment {
    RecurringPayment {
        merchant: Some(merchant),
        title,
        account,
        category: Spent::Subscriptions,
        cadence,
        amount,
    }
}

/// Every subscription.
#[rustfmt::skip]
static SUBSCRIPTIONS: &[RecurringPayment] = &[
    subscription("Netflix", "NETFLIX.COM AMSTERDAM NL", OwnAccount::Card, Monthly(3), EuroEveryEighteenMonths(1_099)),
    subscription("Spotify", "SPOTIFY P2B41C88D0 STOCKHOLM", OwnAccount::Card, Monthly(14), Fixed(1_099)),
    subscription("Die Zeit", "ZEITVERLAG GERD BUCERIUS DIGITALABO", OwnAccount::Card, Monthly(21), Fixed(2_890)),
    subscription("Audible", "AUDIBLE GMBH ADBL.CO/PYMT", OwnAccount::Card, CancelledMonthsAgo(7, 9), Fixed(995)),
    subscription("BahnCard", "DB FERNVERKEHR BAHNCARD 25", OwnAccount::Card, InMonths(&[6], 12), Fixed(6_290)),
    subscription("GitHub", "GITHUB, INC. SAN FRANCISCO CA", OwnAccount::DollarChecking, Monthly(7), Fixed(1_000)),
    subscription("Adobe", "ADOBE *PHOTOGRAPHY PLAN SAN JOSE CA", OwnAccount::DollarChecking, Monthly(19), Fixed(1_999)),
];

/// A standing order, a direct debit or a subscription.
#[derive(Clone, Copy, Debug)]
struct RecurringPayment {
    /// Name of the merchant; `None` if the bank reports a title only.
    pub(super) merchant: Option<&'static str>,
    pub(super) title: &'static str,
    pub(super) account: OwnAccount,
    pub(super) category: Spent,
    pub(super) cadence: Cadence,
    pub(super) amount: Amount,
}

/// The days on which a payment is due.
#[derive(Clone, Copy, Debug)]
enum Cadence {
    /// Due on this day of every month, also when banks are closed.
    Monthly(i8),
    /// Due on this day of every month, or on the next business day.
    MonthlyBanking(i8),
    /// Due on this day of the listed months, or on the next business day.
    InMonths(&'static [i8], i8),
    /// Due monthly on the day of the second number, until it was cancelled the first number of months ago.
    CancelledMonthsAgo(i32, i8),
    Weekly(Weekday),
    /// Due every other week on this weekday.
    Fortnightly(Weekday),
}

/// The amount due, in cents.
#[derive(Clone, Copy, Debug)]
pub(super) enum Amount {
    Fixed(i64),
    /// A different amount each time, from the first to the second number of cents.
    Between(i64, i64),
    /// The first number of cents in 2024, which rises by the second number every January.
    EveryJanuary(i64, i64),
    /// Rises by 100 cents every eighteen months, so that any two years contain a rise.
    EuroEveryEighteenMonths(i64),
}

impl Cadence {
    /// Returns the due days within the window, in order.
    fn due_days(self, window: Window) -> Vec<Date> {
        let monthly = |day: i8| window.months().map(move |month| in_month(month, day));
        match self {
            Cadence::Monthly(day) => monthly(day).collect(),
            Cadence::MonthlyBanking(day) => monthly(day).map(business_day_from).collect(),
            Cadence::InMonths(months, day) => {
                monthly(day).filter(|due| months.contains(&due.month())).map(business_day_from).collect()
            }
            Cadence::CancelledMonthsAgo(months, day) => {
                let end = window.today - months.months();
                monthly(day).filter(|due| *due < end).collect()
            }
            Cadence::Weekly(weekday) => window.days().filter(|day| day.weekday() == weekday).collect(),
            Cadence::Fortnightly(weekday) => window
                .days()
                .filter(|day| day.weekday() == weekday && day_number(*day).div_euclid(7) % 2 == 0)
                .collect(),
        }
    }
}

impl Amount {
    /// Returns the amount in cents that is due on a day. `stream` seeds the random amounts.
    fn cents_on(self, stream: &str, due: Date) -> i64 {
        match self {
            Amount::Fixed(cents) => cents,
            Amount::Between(least, most) => Generator::for_day(stream, due).between(least..=most),
            Amount::EveryJanuary(cents, rise) => cents + rise * years_since_2024(due),
            Amount::EuroEveryEighteenMonths(cents) => {
                let begin = Date::constant(2018, 6, 1);
                let steps = (month_number(due) - month_number(begin)).div_euclid(18);
                cents + 100 * steps.clamp(0, 20)
            }
        }
    }
}

/// Returns the number of calendar years since 2024, from 0 to 20. The limit keeps prices plausible for any date.
pub(super) fn years_since_2024(day: Date) -> i64 {
    i64::from(day.year() - 2024).clamp(0, 20)
}
