-- Opens the reading transaction for one user: sets the user for row-level security, resolves the days, and reads the
-- person and the grant.
-- $1 user id, $2 kind of credential, $3 its reference, $4 first day, $5 last day, $6 time range, $7 year, $8 month,
-- $9 a fixed today, for tests and demonstrations, $10 the session that the token belongs to, $11 true to read the names that
-- the rows of a list need, $12 true if queries follow, which read the days
select * from passbook_read.open_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
