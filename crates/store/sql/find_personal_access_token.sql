-- Whose token has this hash. Asked before a user is known, so it is the only query without a user id.
-- $1 SHA-256 of the token
select f.token_id, f.user_id from passbook_read.find_personal_access_token($1) as f
