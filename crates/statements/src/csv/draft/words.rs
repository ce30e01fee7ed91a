//! Words in the header lines, flags and labels of banks: English, German, French, Spanish, Portuguese, Italian, Dutch.

/// Words of a meaning, separated by spaces. A word of at most four letters must be a whole word of the cell.
type Words = &'static str;

pub(super) const VALUE_DAY: Words = "value valut wert valeur valor rente";
pub(super) const BOOKED_DAY: Words = "book posting posted buchung compta contab lanç lanc boek registro";
pub(super) const AMOUNT: Words =
    "amount betrag umsatz montant importe monto valor quantia importo bedrag sum summe value";
pub(super) const OUT: Words = "out debit soll belast ausgang ausgabe withdraw débit cargo adeudo debe débito saída saida uscit \
     dare addebit af uitgaven debet spent retiro";
pub(super) const IN: Words = "in credit haben gutschrift eingang einnahme deposit crédit abono ingreso haber crédito entrada \
     entrat avere accredit bij inkomsten received";
pub(super) const BALANCE: Words = "balance saldo solde kontostand running";
pub(super) const OTHER_NUMBER: Words = "fee gebühr frais comisi comiss commission kosten tax vat mwst original foreign fremd rate kurs \
     exchange limit points number nummer check cheque referenc referenz code";
pub(super) const FEE: Words = "fee fees gebühr frais comisi comiss commission kosten";
pub(super) const CURRENCY: Words = "currency währung devise moneda divisa moeda valuta munt ccy";
pub(super) const PARTY: Words = "payee payer party partner counter merchant recipient beneficia empfänger auftraggeber zahlungs bénéficiaire \
     tiers ordenante destinat contraparte controparte tegenpartij naam name";
pub(super) const CATEGORY: Words = "category categories kategorie catégorie categoría categoria";
pub(super) const CATEGORY_GROUP: Words = "group gruppe groupe grupo gruppo parent";
pub(super) const TAGS: Words = "tags labels hashtags";
pub(super) const NOTES: Words = "notes";
pub(super) const ACCOUNT: Words = "account iban konto compte cuenta conta conto rekening";
pub(super) const REFERENCE: Words = "id referen ref identif number nummer número";
pub(super) const FLAG: Words =
    "flag sign direction type richtung kennzeichen sens tipo signo segno sinal d/c s/h dc dr cr";
pub(super) const OPENING: Words =
    "open anfang alt alter initial inicial iniziale start begin previous vorig ancien anterior precedent";
pub(super) const CLOSING: Words = "closing end ending schluss neu neuer new final eind current aktuell letzt last actual atual attuale \
     huidig actuel";

/// Values of a flag for money out and for money in.
const FLAGS: [Words; 2] = [
    "d dr db debit s soll af debet débit debito débito cargo debe out - dare lastschrift belastung ausgang uscita \
     addebito saída saida uit withdrawal expense",
    "c cr credit h haben bij crédit credito crédito abono haber in + avere gutschrift eingang entrata accredito \
     entrada deposit income ingreso",
];

/// Returns true if a cell has one of the words.
pub(super) fn has(cell: &str, words: Words) -> bool {
    let cell = cell.to_lowercase();
    let parts = || cell.split(|c: char| !c.is_alphanumeric());
    words.split(' ').any(|word| {
        if word.chars().count() > 4 {
            cell.contains(word)
        } else {
            cell == word || parts().any(|part| part == word)
        }
    })
}

/// Returns true for a flag of money out, false for one of money in, and `None` for another text.
pub(super) fn is_outgoing(flag: &str) -> Option<bool> {
    let flag = flag.trim().to_lowercase();
    let [out, incoming] = FLAGS.map(|words| words.split(' ').any(|word| word == flag));
    (out || incoming).then_some(out)
}
