//! The rows of an imported file, which no bundle contains.

use super::Tenant;

impl Tenant {
    /// Returns the statements that store an imported file, rules and a proof for the tenant's first account.
    pub fn import_rows(&self) -> String {
        let (user, account, file) =
            (self.household.user.user_id, self.household.accounts[0], self.id("imported file"));
        let (word, cents) = (&self.word, self.factor);
        // The day through which an account is proven differs between tenants.
        let day = 1 + word.len();
        format!(
            "insert into passbook.import_files (user_id, file_id, digest, name, format, profile)
               values ('{user}', '{file}', sha256('{word}'), '{word}.csv', 'csv {word}', '{word}');
             insert into passbook.import_statements (user_id, file_id, statement, account_id, iban, bank, account_number,
               account_name, kind, sequence_number, lists_pending, withdrawn_ids)
               values ('{user}', '{file}', 0, '{account}', '{word}', '{word}', '{word}', '{word}', 'complete', '{word}',
                 false, '{{}}');
             insert into passbook.statement_balances (user_id, file_id, statement, position, kind, date, amount_cents, currency)
               values ('{user}', '{file}', 0, 0, 'closing', '2026-11-01', {cents}, 'EUR');
             insert into passbook.import_lines (user_id, file_id, statement, position, line, booking_date, amount_cents, currency,
               pending, source_id, source_id_is_authoritative, replaces, reference, counterparty_name, counterparty_account, description, bank_transaction_code,
               category, original_cents, original_currency, fee_included, transfer_with, raw)
               values ('{user}', '{file}', 0, 0, 1, '2026-11-01', {cents}, 'EUR', false, '{word}', false, '{word}', '{word}',
                 '{word}', '{word}', '{word}', '{word}', '{word}', {cents}, 'EUR', false, '{word}', '{word}');
             insert into passbook.import_rules (user_id, name, rules) values ('{user}', '{word}', '# {word}');
             insert into passbook.account_reconciliations (user_id, account_id, reconciled_through)
               values ('{user}', '{account}', '2025-01-{day:02}');"
        )
    }
}
