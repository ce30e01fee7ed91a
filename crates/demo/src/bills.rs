//! The bills that the household pays by standing order and direct debit.

use jiff::civil::Weekday;
use passbook_domain::category::ExpenseCategory as Spent;

use super::accounts::OwnAccount;
use super::schedule::Amount::{Between, EveryJanuary, Fixed};
use super::schedule::Cadence::{Fortnightly, InMonths, Monthly, MonthlyBanking, Weekly};
use super::schedule::{Amount, Cadence, RecurringPayment};

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
pub(super) static BILLS: &[RecurringPayment] = &[
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
