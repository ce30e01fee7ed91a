-- Amounts that are too large after their conversion.

-- amount × to / from, rounded once to whole cents, half away from zero. The quotient is taken in integers (div truncates
-- exactly), because dividing first and rounding after would round twice.
--
-- Null if the result exceeds the largest amount of a transaction: the amount then counts as one without a rate. An error
-- would reject a whole load, or a whole response, because of one row.
create or replace function passbook_read.convert_cents(amount_cents bigint, from_rate numeric, to_rate numeric) returns bigint
language plpgsql immutable strict parallel safe as $$
declare
  magnitude constant numeric := div(2 * abs(amount_cents::numeric) * to_rate + from_rate, 2 * from_rate);
begin
  return case when magnitude <= 9000000000000000 then sign(amount_cents::numeric) * magnitude end;
end
$$;

-- Larger amounts that are stored are derived again.
do $$
declare
  altered text;
  tables constant text[] := array['users', 'transactions', 'derived_states', 'totals', 'account_totals', 'merchant_totals',
    'merchant_bounds'];
begin
  /* The owner sees the rows of all users while row-level security is not forced. */
  foreach altered in array tables loop
    execute format('alter table passbook.%I no force row level security', altered);
  end loop;
  if exists (select from passbook.transactions where abs(converted_cents) > 9000000000000000) then
    perform passbook.derive_all();
  end if;
  /* No table can be altered while it has deferred checks. */
  set constraints all immediate;
  foreach altered in array tables loop
    execute format('alter table passbook.%I force row level security', altered);
  end loop;
end
$$;
