-- One user's budgeted income categories, as stored, by category.
-- $1 user id
select b.budget_id, b.category, b.target_cents, b.currency
from passbook_read.budgets as b
where b.user_id = $1 and b.category_kind = 'income'
order by b.category collate "C"
