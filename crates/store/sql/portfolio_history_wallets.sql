-- The value of each holding of one user's wallets on each day of the history; null if it is unknown.
-- $1 user id, $2 interval: auto, day, week or month, $3 maximum number of points
select w.day, w.part_id, w.part_name, w.currency, w.amount_cents
from passbook_read.daily_wallet_values($2, $3) as w
where w.user_id = $1
