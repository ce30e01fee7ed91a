-- One user's banks and the health of the connection to each, by name.
-- $1 user id
select
  b.bank_id, b.name, b.status, b.new_accounts_available, b.last_successful_update, b.last_failed_update,
  b.consent_expires_at, b.error_code, b.days_since_update
from passbook_read.bank_connections as b
where b.user_id = $1
order by b.name collate "C", b.bank_id
