-- True if rows of the view people are visible although app.user_id is not set.
select exists (select from passbook_read.people) as sees_people
