-- One user's monthly targets for expense categories. Each target is also converted to the preferred currency, at the rate of the
-- session's last day or of today, whichever is earlier.
-- $1 user id
select
  b.category, b.target_cents, b.currency,
  passbook_read.convert_on(b.target_cents, b.currency, profile.preferred_currency, least(passbook_read.last_day(), profile.today))
    as converted_cents
from passbook_read.budgets as b
join passbook_read.current_user_profile as profile on profile.user_id = b.user_id
where b.user_id = $1 and b.category_kind = 'expense' and b.target_cents is not null
