-- Locks the derived data of a person, so that two imports for the person wait for each other. Exchange rates are locked
-- first, as by every writer of transactions.
-- $1 user id
with shared as materialized (select from passbook.rate_state for share)
select from passbook.derived_states as states
where states.user_id = $1 and (select count(*) from shared) > 0
for no key update
