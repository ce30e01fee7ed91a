//! The kinds of recurring payments in generated households: payee, schedule, amount and booking.

use passbook_domain::category::{Category, ExpenseCategory as Spent, IncomeCategory as Received};

/// A payee: its merchant name, and the titles that banks write. In a title `#` is a random digit, `%` a digit that is
/// the same for all payments, and `@` the month and year.
#[derive(Clone, Copy, Debug)]
pub(super) struct Payee {
    pub(super) name: &'static str,
    pub(super) titles: &'static [&'static str],
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Schedule {
    /// Due on one day of every n-th month.
    Months(i32),
    /// Due on the last banking day of the month.
    LastBankingDay,
    /// Due on two days of the month.
    TwiceAMonth(i8, i8),
    /// Due every n days.
    Days(i64),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Amount {
    /// A fixed price with up to two increases.
    Price,
    /// A price that varies by at most n percent.
    Usage(i64),
    /// A varying price that is higher in winter.
    Seasonal,
    /// A fixed amount with one increase a year.
    Pay,
    /// A price in a foreign currency, which varies with the exchange rate.
    Abroad,
}

/// The way in which a payment is made, which decides the day of booking.
#[derive(Clone, Copy, Debug)]
pub(super) enum Booking {
    /// Charged to a card on the due day, also on weekends; posted up to two days later.
    Card,
    /// Collected on the first banking day on or after the due day.
    DirectDebit,
    /// Received on the last banking day on or before the due day.
    PaidIn,
    /// Sent by the user, up to n/2 days early or n days late.
    ByHand(i64),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StreamKind {
    pub(super) name: &'static str,
    /// Percentage of households that have this kind of stream.
    pub(super) likely: i64,
    pub(super) category: Category,
    pub(super) schedules: &'static [Schedule],
    pub(super) amount: Amount,
    /// Minimum and maximum of the first amount, in cents.
    pub(super) cents: (i64, i64),
    pub(super) booking: Booking,
    pub(super) payees: &'static [Payee],
}

use Amount::{Abroad, Pay, Price, Seasonal, Usage};
use Booking::{ByHand, Card, DirectDebit, PaidIn};
use Schedule::{Days, LastBankingDay, Months, TwiceAMonth};

const fn p(name: &'static str, titles: &'static [&'static str]) -> Payee {
    Payee { name, titles }
}

#[expect(clippy::too_many_arguments, reason = "a row of the table below")]
const fn out(
    name: &'static str,
    likely: i64,
    category: Spent,
    schedules: &'static [Schedule],
    amount: Amount,
    cents: (i64, i64),
    booking: Booking,
    payees: &'static [Payee],
) -> StreamKind {
    StreamKind {
        name,
        likely,
        category: Category::Expense(category),
        schedules,
        amount,
        cents,
        booking,
        payees,
    }
}

const fn paid(
    name: &'static str,
    likely: i64,
    category: Received,
    schedules: &'static [Schedule],
    amount: Amount,
    cents: (i64, i64),
    payees: &'static [Payee],
) -> StreamKind {
    StreamKind {
        name,
        likely,
        category: Category::Income(category),
        schedules,
        amount,
        cents,
        booking: PaidIn,
        payees,
    }
}

const MONTHLY: &[Schedule] = &[Months(1)];
const PAYDAYS: &[Schedule] = &[
    Months(1),
    LastBankingDay,
    Days(14),
    Days(14),
    TwiceAMonth(1, 15),
    TwiceAMonth(15, 31),
    TwiceAMonth(5, 20),
];
const PREMIUMS: &[Schedule] = &[Months(1), Months(3), Months(6), Months(6), Months(12), Months(12)];

/// Every kind of recurring payment.
#[rustfmt::skip]
pub(super) static STREAM_KINDS: &[StreamKind] = &[
    paid("salary", 92, Received::Salary, PAYDAYS, Pay, (140_000, 520_000), &[
        p("Acme Corp", &["ACME CORP PAYROLL PPD ID: %%%%%%"]), p("Nordwind GmbH", &["NORDWIND GMBH LOHN/GEHALT @", "LOHN/GEHALT @ NORDWIND GMBH"]),
        p("City of Springfield", &["CITY OF SPRINGFIELD DIRECT DEP"]), p("Gusto", &["GUSTO PAY ###### 6semk8bv"])]),
    paid("second salary", 35, Received::Salary, PAYDAYS, Usage(6), (90_000, 310_000), &[
        p("Harbor Hospital", &["HARBOR HOSPITAL SALARY"]), p("Lidl Personal", &["LIDL PERSONAL GEHALT ##/####"])]),
    paid("pension", 10, Received::Pension, &[Months(1), LastBankingDay], Pay, (80_000, 210_000), &[
        p("Deutsche Rentenversicherung", &["RENTENSERVICE RENTE %%%%%%"]), p("Social Security", &["SSA TREAS 310 XXSOC SEC"])]),
    paid("child benefit", 22, Received::Benefits, MONTHLY, Price, (18_000, 51_000), &[p("Familienkasse", &["FAMILIENKASSE KINDERGELD KG%%%%%%FK"])]),
    paid("rent received", 8, Received::RentalIncome, MONTHLY, Price, (45_000, 120_000), &[p("J Martens", &["MIETE @ STELLPLATZ MARTENS"])]),
    paid("interest", 30, Received::Interest, &[Months(1), Months(3)], Usage(35), (120, 4_800), &[p("Ally Bank", &["INTEREST PAID"]), p("ING", &["ZINSGUTSCHRIFT"])]),
    paid("dividend", 18, Received::Dividend, &[Months(3)], Usage(25), (1_800, 22_000), &[p("Vanguard", &["DIVIDEND VTI ETF"]), p("Comdirect", &["ERTRAEGNISGUTSCHRIFT FONDS"])]),
    out("rent", 62, Spent::Rent, MONTHLY, Price, (55_000, 240_000), ByHand(2), &[
        p("Kastner Hausverwaltung", &["MIETE @", "DAUERAUFTRAG MIETE WHG 12"]), p("Avalon Apartments", &["AVALON APTS WEB PMT ######"]), p("Zelle", &["ZELLE TO LANDLORD RENT @"])]),
    out("mortgage", 25, Spent::Mortgage, MONTHLY, Price, (70_000, 260_000), DirectDebit, &[p("Rocket Mortgage", &["ROCKET MORTGAGE LOAN %%%%%%%"]), p("Sparkasse", &["DARLEHEN %%%%%% LEISTUNG ##.##"])]),
    out("electricity", 80, Spent::Energy, &[Months(1), Months(1), Months(3)], Seasonal, (4_000, 19_000), ByHand(4), &[
        p("Vattenfall", &["VATTENFALL EUROPE SALES"]), p("Con Edison", &["CON ED OF NY INTELL CK ######"]), p("PG&E", &["PG&E WEB ONLINE ###########"])]),
    out("gas", 35, Spent::Energy, MONTHLY, Seasonal, (2_500, 16_000), DirectDebit, &[p("National Grid", &["NATIONAL GRID NY UTILITYPAY"]), p("E.ON", &["E.ON ENERGIE ABSCHLAG"])]),
    out("water", 45, Spent::Water, &[Months(1), Months(3), Months(3)], Usage(18), (2_200, 9_500), DirectDebit, &[p("Hamburg Wasser", &["HAMBURGER WASSERWERKE"]), p("City Water Dept", &["CITY WATER DEPT BILLPAY ####"])]),
    out("internet", 82, Spent::Internet, MONTHLY, Price, (2_999, 8_999), DirectDebit, &[p("Comcast", &["COMCAST XFINITY ###-###-#### CA"]), p("1&1", &["1&1 TELECOM GMBH RG %%%%"]), p("Spectrum", &["SPECTRUM 855-707-7328 MO"])]),
    out("phone", 85, Spent::Phone, MONTHLY, Usage(9), (1_500, 9_500), Card, &[p("T-Mobile", &["TMOBILE*AUTO PAY 800-937-8997 WA", "T-MOBILE PCS SVC"]), p("Verizon", &["VZWRLSS*APOCC VISB"]), p("Telekom", &["TELEKOM DEUTSCHLAND MOBILFUNK"])]),
    out("prepaid phone", 18, Spent::Phone, &[Days(28), Days(30)], Price, (799, 1_999), Card, &[p("congstar", &["CONGSTAR PREPAID ALLNET"]), p("Mint Mobile", &["MINT MOBILE 800-683-7392"])]),
    out("streaming video", 88, Spent::Subscriptions, MONTHLY, Price, (799, 2_299), Card, &[p("Netflix", &["NETFLIX.COM 866-579-7172 CA", "NETFLIX.COM AMSTERDAM NL"]), p("Hulu", &["HULU ############ HULU.COM/BILL CA"])]),
    out("streaming video again", 45, Spent::Subscriptions, MONTHLY, Price, (599, 1_599), Card, &[p("Disney Plus", &["DISNEYPLUS 888-9057888 CA"]), p("HBO Max", &["HELP.MAX.COM ######"])]),
    out("streaming music", 70, Spent::Music, MONTHLY, Price, (999, 1_799), Card, &[p("Spotify", &["SPOTIFY P######## STOCKHOLM", "SPOTIFY USA ########"]), p("Deezer", &["PAYPAL *DEEZER 35314369001"])]),
    out("software from abroad", 30, Spent::Subscriptions, MONTHLY, Abroad, (900, 2_900), Card, &[p("GitHub", &["GITHUB, INC. SAN FRANCISCO"]), p("Adobe", &["ADOBE *PHOTOGPHY PLAN"]), p("OpenAI", &["OPENAI *CHATGPT SUBSCR"])]),
    out("cloud storage", 40, Spent::Subscriptions, MONTHLY, Price, (99, 999), Card, &[p("Apple", &["APPLE.COM/BILL 866-712-7753 CA"]), p("Google", &["GOOGLE *GOOGLE STORAGE"])]),
    out("music of the phone's maker", 22, Spent::Subscriptions, MONTHLY, Price, (1_099, 1_699), Card, &[p("Apple", &["APPLE.COM/BILL 866-712-7753 CA"])]),
    out("shop membership", 42, Spent::Subscriptions, &[Months(1), Months(1), Months(12)], Price, (899, 1_499), Card, &[p("Amazon", &["AMAZON PRIME*%%%%%% AMZN.COM/BILL", "AMZN PRIME DE*#######"])]),
    out("shop again: audio books", 14, Spent::Subscriptions, MONTHLY, Price, (995, 995), Card, &[p("Amazon", &["AMAZON DIGITAL*####### 888-802"])]),
    out("gym", 48, Spent::Fitness, &[Months(1), Months(1), Months(1), Days(14), Days(28)], Price, (1_990, 7_900), DirectDebit, &[p("Planet Fitness", &["PLANET FITNESS CLUB FEES #%%%%", "ABC*PLANET FITNESS"]), p("FitnessLoft", &["FITNESSLOFT ALTONA BEITRAG"])]),
    out("car insurance", 55, Spent::Insurance, PREMIUMS, Price, (9_000, 78_000), DirectDebit, &[p("State Farm", &["STATE FARM RO 27 SFPP %%%%%%"]), p("HUK-COBURG", &["HUK-COBURG KFZ V%%%%%%"]), p("Geico", &["GEICO *AUTO 800-841-3000"])]),
    out("home insurance", 50, Spent::Insurance, PREMIUMS, Price, (6_000, 42_000), DirectDebit, &[p("HUK-COBURG", &["HUK-COBURG HAUSRAT"]), p("State Farm", &["STATE FARM RO 27 HOME"]), p("Allianz", &["ALLIANZ VERS. AG BEITRAG"])]),
    out("life insurance", 30, Spent::Insurance, &[Months(1), Months(3)], Price, (1_900, 9_800), DirectDebit, &[p("Northwestern Mutual", &["NW MUTUAL INSPAYMENT"]), p("Cosmos", &["COSMOS LEBENSVERSICHERUNG AG"])]),
    out("club membership", 35, Spent::Sports, &[Months(3), Months(6), Months(12)], Price, (4_500, 18_000), DirectDebit, &[p("TSV Ottensen", &["TSV OTTENSEN BEITRAG ####"]), p("Rowing Club", &["RIVERSIDE ROWING DUES"])]),
    out("motoring club", 28, Spent::Services, &[Months(12)], Price, (5_400, 13_900), DirectDebit, &[p("ADAC", &["ADAC E.V. MITGLIEDSBEITRAG ####"]), p("AAA", &["AAA MEMBERSHIP RENEWAL"])]),
    out("domain name", 20, Spent::Services, &[Months(12)], Price, (1_200, 4_200), Card, &[p("Namecheap", &["NAME-CHEAP.COM* %%%%%%"]), p("INWX", &["INWX GMBH RE ######"])]),
    out("antivirus", 16, Spent::Subscriptions, &[Months(12)], Price, (3_999, 9_999), Card, &[p("Norton", &["NORTON *AP########## 877-484-7898"])]),
    out("car loan", 30, Spent::CarPayment, MONTHLY, Price, (14_000, 62_000), DirectDebit, &[p("Toyota Financial", &["TOYOTA ACH RTL %%%%%%%%"]), p("VW Bank", &["VOLKSWAGEN BANK RATE %%%%%"])]),
    out("student loan", 24, Spent::StudentLoan, &[Months(1), Months(3)], Price, (9_000, 38_000), DirectDebit, &[p("Nelnet", &["NELNET STUDENT LN STDNTLOAN"]), p("Bundesverwaltungsamt", &["BUNDESKASSE BAFOEG %%%%%"])]),
    out("cleaner", 22, Spent::Services, &[Days(7), Days(14), Days(14)], Price, (4_000, 9_500), ByHand(1), &[p("Putzfee", &["PUTZFEE REINIGUNG RE ####"]), p("Maid Brigade", &["MAID BRIGADE ###-#######"])]),
    out("childcare", 20, Spent::Childcare, &[Months(1), Months(1), Days(7), Days(14)], Price, (12_000, 88_000), DirectDebit, &[p("Bright Horizons", &["BRIGHT HORIZONS TUITION"]), p("Kita Elbkinder", &["KITA ELBKINDER BEITRAG @"])]),
    out("music lessons", 14, Spent::Education, &[Days(7), Months(1)], Price, (2_500, 6_500), ByHand(1), &[p("Musikschule Kling", &["MUSIKSCHULE KLING"]), p("Venmo", &["VENMO PAYMENT PIANO ######"])]),
    out("newspaper", 32, Spent::Subscriptions, &[Months(1), Days(28), Months(3), Months(12)], Price, (1_990, 7_900), DirectDebit, &[p("Die Zeit", &["ZEITVERLAG GERD BUCERIUS"]), p("New York Times", &["NYTIMES*NYTIMES DISC", "D J*WALL-ST-JOURNAL"])]),
    out("magazine on paper", 18, Spent::Subscriptions, &[Months(6), Months(12), Days(14)], Price, (2_400, 12_800), DirectDebit, &[p("The Economist", &["ECONOMIST SUBSCRIPT LONDON"]), p("c't", &["HEISE MEDIEN CT ABO ######"])]),
    out("vegetable box", 12, Spent::Groceries, &[Days(7), Days(14)], Price, (1_990, 4_200), DirectDebit, &[p("Die Gemüsekiste", &["GEMUESEKISTE LIEFERUNG ####"]), p("HelloFresh", &["SP HELLOFRESH ###########"])]),
    out("transit pass", 32, Spent::PublicTransport, MONTHLY, Price, (4_900, 13_200), DirectDebit, &[p("HVV", &["HVV DEUTSCHLANDTICKET ABO"]), p("MTA", &["MTA*MONTHLY PASS ######"])]),
    out("parking space", 15, Spent::Parking, MONTHLY, Price, (4_500, 21_000), ByHand(3), &[p("ParkWhiz", &["PARKWHIZ, INC. 888-472-7594"]), p("Apcoa", &["APCOA PARKING STELLPLATZ %%"])]),
    out("storage", 12, Spent::Storage, &[Months(1), Days(28)], Price, (3_900, 18_000), Card, &[p("Public Storage", &["PUBLIC STORAGE %%%%% 800-567-0759"])]),
    out("donation", 35, Spent::Donation, &[Months(1), Months(1), Months(3), Months(12)], Price, (500, 5_000), DirectDebit, &[p("UNICEF", &["UNICEF SPENDE ######"]), p("Doctors Without Borders", &["DOCTORS WITHOUT BORDERS NY"])]),
    out("bank fee", 45, Spent::BankFees, &[Months(1), Months(3)], Price, (295, 1_500), DirectDebit, &[p("Kontoführung", &["KONTOFUEHRUNG ABSCHLUSS PER ##.##"]), p("Chase", &["MONTHLY SERVICE FEE"])]),
    out("broadcasting fee", 30, Spent::Services, &[Months(3)], Price, (5_508, 5_508), DirectDebit, &[p("ARD ZDF Beitragsservice", &["RUNDFUNK ARD, ZDF, DRADIO"])]),
    out("property tax", 20, Spent::Taxes, &[Months(3), Months(6), Months(12)], Price, (12_000, 190_000), ByHand(3), &[p("County Tax Collector", &["COUNTY TAX COLLECTOR WEB"]), p("Bezirksamt", &["GRUNDSTEUER BEZIRKSAMT %%%"])]),
    out("pet insurance", 12, Spent::Pets, MONTHLY, Price, (1_900, 6_200), Card, &[p("Lemonade", &["LEMONADE INSURANCE PET"])]),
    out("contact lenses", 10, Spent::EyeCare, &[Months(1), Months(3)], Price, (1_990, 6_900), Card, &[p("Mister Spex", &["MISTER SPEX ABO ######"]), p("1-800 Contacts", &["1800CONTACTS*######"])]),
    out("games", 25, Spent::VideoGames, &[Months(1), Months(3), Months(12)], Price, (599, 5_999), Card, &[p("PlayStation", &["PLAYSTATION NETWORK ########"]), p("Xbox", &["MICROSOFT*XBOX GAME PASS"])]),
    out("therapist", 12, Spent::Health, &[Days(7), Days(14)], Price, (8_000, 16_000), ByHand(0), &[p("Dr Levin", &["SQ *DR LEVIN PSYCHOTHERAPY"])]),
];
