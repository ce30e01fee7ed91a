-- What the heavy user asks for, without the server: searches and sorts every row of the user.
select t.transaction_id, t.date, t.converted_cents
from passbook.transactions as t
join passbook.users as u on u.user_id = t.user_id
where u.email = 'heavy@bench.example' and (t.merchant_search like '%1%' or t.title_search like '%1%')
order by t.converted_cents desc nulls last, t.date desc, t.transaction_id desc
limit 2;
