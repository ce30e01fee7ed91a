-- Removes the accounts of a person that imports created and that no file, loader or person says anything of.
-- $1 user id
delete from passbook.accounts as a
where a.user_id = $1 and a.created_by_import
  and num_nonnulls(a.balance_cents, a.opened_on, a.closed_on, a.rows_complete_from, a.ledger_id) = 0
  and not exists (
    select from passbook.import_statements as s where s.user_id = a.user_id and s.account_id = a.account_id)
  and not exists (
    select from passbook.transactions as t where t.user_id = a.user_id and t.account_id = a.account_id)
  and not exists (
    select from passbook.balance_snapshots as s where s.user_id = a.user_id and s.account_id = a.account_id)
  and not exists (select from passbook.holdings as h where h.user_id = a.user_id and h.account_id = a.account_id)
