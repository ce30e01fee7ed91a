-- One user's wallets, by name.
-- $1 user id
select w.wallet_id, w.name, w.network, w.address_masked, w.updated_at
from passbook_read.wallets as w
where w.user_id = $1
order by w.name collate "C", w.wallet_id
