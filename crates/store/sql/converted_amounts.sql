-- Amounts converted to the preferred currency of one user at the rates of their days, in the order of the parameters.
-- $1 user id, $2 days, $3 currencies, $4 amounts in cents
select c.converted_cents
from passbook_read.converted_amounts($2, $3, $4) as c
where c.user_id = $1
order by c.place
