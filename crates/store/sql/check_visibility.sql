-- True if a row of a user is visible although app.user_id is not set.
select exists (select from passbook_read.current_user_profile) as sees_people
