-- Rates that a statement reads once: the rows of a day need the same ones.

-- Before any row is locked: no exchange rate changes until the end of the transaction. The rates that an earlier statement of
-- the transaction has kept are forgotten, because a statement after it may have changed them.
create or replace function passbook.lock_rates() returns trigger
language plpgsql as $$
begin
  perform from passbook.rate_state for share;
  perform set_config('passbook.known_rates', '', true);
  return null;
end
$$;

-- The same as `passbook_read.convert_on`, for the rows of one statement that writes transactions. It keeps rates until the
-- end of the statement in a setting, as a list of `USD>EUR@day=rate,rate;`. The day is in seconds, which no setting formats
-- differently.
create function passbook.convert_row(amount_cents bigint, from_currency text, to_currency text, day date) returns bigint
language plpgsql as $$
declare
  known text := current_setting('passbook.known_rates', true);
  wanted constant text := concat(from_currency, '>', to_currency, '@', extract(epoch from day), '=');
  rates text := split_part(split_part(known, wanted, 2), ';', 1);
  known_length_max constant integer := 500;
begin
  if rates is null or rates = '' then
    rates := concat(passbook_read.rate_on(from_currency, day), ',', passbook_read.rate_on(to_currency, day));
    if length(known) > known_length_max then
      known := '';
    end if;
    perform set_config('passbook.known_rates', concat(known, wanted, rates, ';'), true);
  end if;
  return passbook_read.convert_at(
    amount_cents, from_currency, nullif(split_part(rates, ',', 1), '')::numeric,
    to_currency, nullif(split_part(rates, ',', 2), '')::numeric);
end
$$;

-- Stores the derived columns of a row. Values that a statement gives for these columns are never stored.
create or replace function passbook.derive_row() returns trigger
language plpgsql as $$
declare
  locked text := current_setting('passbook.locked_state', true);
  state_currency text;
  attempts_max constant integer := 10;
begin
  /* The first row of a user waits for other writers of this user. The setting lasts as long as the lock: until the
     transaction ends, or until a rollback to a savepoint before it. If another writer has meanwhile deleted the user and
     created the same user again, only a further query finds the new state. If there is no such user, the foreign key of
     the account rejects the row. */
  if left(locked, 36) = new.user_id::text then
    state_currency := substr(locked, 38);
  else
    for attempt in 1..attempts_max loop
      select states.currency into state_currency from passbook.derived_states as states
      where states.user_id = new.user_id for no key update;
      exit when found or not exists (select from passbook.users where users.user_id = new.user_id);
      if attempt = attempts_max then
        raise exception 'the state of the user % changes all the time', new.user_id using errcode = 'serialization_failure';
      end if;
    end loop;
    perform set_config('passbook.locked_state', concat(new.user_id, ' ', state_currency), true);
  end if;
  if tg_op = 'UPDATE' then
    if (new.replaced, new.shown_link, new.purchase_category)
      is distinct from (old.replaced, old.shown_link, old.purchase_category) then
      select links.replaced, links.shown_link, links.purchase_category
      into new.replaced, new.shown_link, new.purchase_category
      from passbook.computed_links as links
      where links.user_id = old.user_id and links.transaction_id = old.transaction_id;
    end if;
    if (new.converted_cents, new.amount_cents, new.currency, new.date, new.user_id)
      is not distinct from (old.converted_cents, old.amount_cents, old.currency, old.date, old.user_id) then
      return new;
    end if;
  else
    /* A posted row that is neither a transfer nor a refund replaces the pending row to which it links, as a rule. Its link is
       then not shown. `derive_links` corrects the rows that have to do with a link. */
    if new.replaced is distinct from false or new.purchase_category is not null then
      new.replaced := false;
      new.purchase_category := null;
    end if;
    if new.pending or new.type = 'INTERNAL_TRANSFER' or new.category = 'REFUND' then
      new.shown_link := new.linked_transaction_id;
    elsif new.shown_link is not null then
      new.shown_link := null;
    end if;
  end if;
  if new.currency = state_currency then
    new.converted_cents := new.amount_cents;
  else
    new.converted_cents := passbook.convert_row(new.amount_cents, new.currency, state_currency, new.date);
  end if;
  return new;
end
$$;
