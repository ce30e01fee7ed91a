-- The owner of the token with this hash. Runs before the user is known, so this query has no user id.
-- $1 SHA-256 of the token
select f.token_id, f.user_id from passbook_read.find_personal_access_token($1) as f
