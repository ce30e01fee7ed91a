-- Budgets for a category that another budget of the same user has, stored or earlier in the input. Budgets that the
-- input deletes do not count.
-- $1 maximum number of rows
select staged.place, staged.category, count(*) over ()
from pg_temp.load_budgets as staged
where exists (
    select from passbook.budgets as other
    where other.user_id = staged.user_id and other.category = staged.category
      and other.budget_id <> staged.budget_id
      and not exists (
        select from pg_temp.delete_budgets as gone
        where gone.user_id = other.user_id and gone.budget_id = other.budget_id))
  or exists (
    select from pg_temp.load_budgets as other
    where other.user_id = staged.user_id and other.category = staged.category
      and other.budget_id <> staged.budget_id and other.position < staged.position)
order by staged.position
limit $1
