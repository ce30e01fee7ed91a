-- Locks a person, so that two imports for the person wait for each other. Exchange rates are locked
-- first, as by every writer of transactions.
-- $1 user id
with shared as materialized (select from passbook.base_currency for share)
select from passbook.users
where users.user_id = $1 and (select count(*) from shared) > 0
for no key update
