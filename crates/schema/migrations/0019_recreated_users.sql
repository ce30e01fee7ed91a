-- A row whose user is deleted and created again while its writer waits is converted to the currency of the new user.

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
    /* `derive_links` corrects the rows that have to do with a link. */
    new.replaced := false;
    new.shown_link := new.linked_transaction_id;
    new.purchase_category := null;
  end if;
  if new.currency = state_currency then
    new.converted_cents := new.amount_cents;
  else
    new.converted_cents := passbook_read.convert_on(new.amount_cents, new.currency, state_currency, new.date);
  end if;
  return new;
end
$$;
