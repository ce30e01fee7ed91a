-- The transactions that a load removes.
create temp table removed_transactions (user_id uuid not null, transaction_id uuid not null) on commit drop
