-- What all users share: types, the categories, time zones, the exchange rates, and the rules for texts and conversion.

create domain passbook.currency_code as text check (value ~ '^[A-Z]{3}$');

-- Hundredths of a currency's unit: ±90 trillion units.
create domain passbook.cents as bigint check (value between -9000000000000000 and 9000000000000000);

create domain passbook.calendar_day as date check (value between '1900-01-01' and '2200-12-31');

create domain passbook.moment as timestamptz check (value >= '1900-01-01 00:00:00+00' and value < '2201-01-01 00:00:00+00');

-- A quantity or a price.
create domain passbook.quantity as numeric check (value between -90000000000000 and 90000000000000);

-- A text without white space around it. The characters are those with the property White_Space of Unicode.
create function passbook_read.trim_white_space(value text) returns text
language sql immutable strict parallel safe
return btrim(value, E' \t\n\u000b\u000c\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000');

-- A name that people read: not blank, and of at most 200 characters.
create domain passbook.display_name as text check (passbook_read.trim_white_space(value) <> '' and length(value) <= 200);

-- A text that may be empty, of at most 64 KiB: the limit of a text in a file.
create domain passbook.free_text as text check (octet_length(value) <= 65536);

-- The categories of the contract. A category is either of income or of expenses.
create table passbook.categories (
  category text primary key,
  category_kind text not null check (category_kind in ('income', 'expense')),
  category_group text,
  unique (category, category_kind),
  check ((category_kind = 'expense') = (category_group is not null))
);

insert into passbook.categories (category, category_kind, category_group)
select category, 'expense', category_group
from (values
  ('FOOD', array['GROCERIES', 'RESTAURANT', 'FAST_FOOD', 'COFFEE', 'ALCOHOL', 'FOOD_AND_DRINK']),
  ('HOUSING', array['RENT', 'MORTGAGE', 'FURNITURE', 'HOME_MAINTENANCE']),
  ('UTILITIES', array['ENERGY', 'WATER', 'INTERNET', 'PHONE', 'UTILITIES']),
  ('TRANSPORT', array['FUEL', 'PARKING', 'TOLLS', 'PUBLIC_TRANSPORT', 'TAXI', 'CAR_PAYMENT', 'CAR_MAINTENANCE', 'TRANSPORT']),
  ('SHOPPING', array['CLOTHING', 'ELECTRONICS', 'GIFTS_GIVEN', 'MARKETPLACE', 'GENERAL_STORE', 'OFFICE_SUPPLIES', 'PETS', 'TOBACCO', 'SHOPPING']),
  ('LEISURE', array['BOOKS', 'CINEMA', 'CONCERT', 'HOBBY', 'MUSIC', 'NIGHTLIFE', 'SPORTS', 'SUBSCRIPTIONS', 'VIDEO_GAMES', 'EVENTS', 'GAMBLING', 'ENTERTAINMENT']),
  ('TRAVEL', array['VACATION', 'FLIGHTS', 'LODGING', 'CAR_RENTAL']),
  ('HEALTH', array['DOCTOR', 'DENTIST', 'EYE_CARE', 'PHARMACY', 'VETERINARY', 'HEALTH']),
  ('PERSONAL', array['BEAUTY', 'FITNESS', 'LAUNDRY', 'PERSONAL_CARE']),
  ('SERVICES', array['CHILDCARE', 'EDUCATION', 'INSURANCE', 'POSTAGE', 'PROFESSIONAL_SERVICES', 'STORAGE', 'SERVICES']),
  ('FINANCE', array['BANK_FEES', 'INTEREST_CHARGE', 'LOAN_PAYMENT', 'STUDENT_LOAN', 'CREDIT_CARD_PAYMENT', 'TAXES', 'DONATION', 'GOVERNMENT']),
  ('MOVEMENT', array['TRANSFER_OUT', 'CASH_WITHDRAWAL']),
  ('OTHER', array['UNCATEGORIZED'])
) as groups (category_group, members), unnest(members) as category;

insert into passbook.categories (category, category_kind)
select category, 'income' from unnest(array[
  'DIVIDEND', 'GIFT', 'INTEREST', 'INVESTMENT', 'PENSION', 'REFUND', 'SALARY', 'TRANSFER_IN',
  'BENEFITS', 'FREELANCE', 'RENTAL_INCOME', 'OTHER_INCOME'
]) as category;

-- The names of time zones that PostgreSQL knows. PostgreSQL also accepts abbreviations and offsets, which mean something else
-- than they seem to: `UTC+3` is west of Greenwich.
create table passbook.time_zones (name text primary key);

insert into passbook.time_zones (name) select zones.name from pg_catalog.pg_timezone_names as zones;

-- The one currency against which every rate is quoted. It can change only while no rate is stored. Writers of exchange rates
-- lock the row exclusively, by its version, and writers of transactions in share mode.
create table passbook.base_currency (
  only_row boolean primary key default true check (only_row),
  currency passbook.currency_code not null,
  version bigint not null default 0
);

insert into passbook.base_currency (currency) values ('EUR');

-- The price of one unit of the base in a currency, as published for a day.
create table passbook.exchange_rates (
  currency passbook.currency_code not null,
  date passbook.calendar_day not null,
  rate numeric not null check (rate between 0.000000001 and 1000000000),
  primary key (currency, date)
);

create function passbook.keep_base_currency() returns trigger
language plpgsql as $$
begin
  if (tg_op = 'DELETE' or new.currency <> old.currency) and exists (select from passbook.exchange_rates) then
    raise exception 'the base currency % cannot change while exchange rates are stored', old.currency
      using errcode = 'restrict_violation', hint = 'Delete the exchange rates first.';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create trigger keep_base_currency before update of currency or delete on passbook.base_currency
  for each row execute function passbook.keep_base_currency();

-- A text for searches: lower case, without accents. Most texts are ASCII, for which lower case by "C" is the same and needs
-- neither ICU nor a regular expression. Not strict, because PostgreSQL inlines no strict function with a `case`; null gives
-- null all the same.
create function passbook_read.search_text(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(value collate "C") collate "und-x-icu"
  else replace(replace(replace(replace(
    translate(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g') collate "und-x-icu"),
      'øłđðħıŧŋĸſ', 'olddhitnks'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
end;

-- The key of a merchant: the same for names that differ only in case, outer white space, and numbers of branches, terminals or
-- bookings. These are the words, except the first, that have a digit and no letter, or three digits. Null for a blank name.
create function passbook_read.merchant_key(value text) returns text
language sql immutable parallel safe
return nullif(regexp_replace(case
  when octet_length(value) = length(value) then lower(btrim(value, E' \t\n\u000b\u000c\r') collate "C") collate "und-x-icu"
  else lower(passbook_read.trim_white_space(value) collate "und-x-icu")
end, '\s+([^[:alpha:]\s]*[0-9][^[:alpha:]\s]*|(\S*[0-9]){3}\S*)(?!\S)', '', 'g'), '');

-- The key of the payee that a title names: without months too. Few titles have the beginning of one, and looking for beginnings
-- costs a tenth of looking for months.
create function passbook_read.payee_key(title text) returns text
language sql immutable parallel safe
return case
  when passbook_read.merchant_key(title)
    ~ 'jan|f[eé][bv]r|m[aä]e?r|apr|avr|ma[iy]|ju[inl]|aug|ao[uû]t|septem|o[ck]to|novem|d[eé][cz]em'
  then regexp_replace(passbook_read.merchant_key(title), '\s+('
    'january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz'
    '|maerz|marz|mai|juni|juli|oktober|dezember|janvier|février|fevrier|mars|avril|juin|juillet|août|aout'
    '|septembre|octobre|novembre|décembre|decembre'
    ')(?!\S)', '', 'g')
  else passbook_read.merchant_key(title)
end;

-- The rules of conversion read the rates as any role.
create view passbook_read.exchange_rates as
  select rates.currency, rates.date, rates.rate from passbook.exchange_rates as rates;

create view passbook_read.base_currency as select base.currency from passbook.base_currency as base;

-- The rate of a currency on a day: that of the day, else the newest one of the 31 days before. The base has the rate 1.
create function passbook_read.rate_on(wanted text, day date) returns numeric
language plpgsql stable parallel safe as $$
begin
  return (
    select case when base.currency = wanted then 1 else (
      select rates.rate from passbook_read.exchange_rates as rates
      where rates.currency = wanted and rates.date between day - 31 and day
      order by rates.date desc limit 1) end
    from passbook_read.base_currency as base);
end
$$;

-- amount × to / from, rounded once to whole cents, half away from zero. The quotient is taken in integers (div truncates
-- exactly), because dividing first and rounding after would round twice.
--
-- Null if the result exceeds the largest amount of a transaction: the amount then counts as one without a rate. An error
-- would reject a whole load, or a whole response, because of one row.
create function passbook_read.convert_cents(amount_cents bigint, from_rate numeric, to_rate numeric) returns bigint
language plpgsql immutable strict parallel safe as $$
declare
  magnitude constant numeric := div(2 * abs(amount_cents::numeric) * to_rate + from_rate, 2 * from_rate);
begin
  return case when magnitude <= 9000000000000000 then sign(amount_cents::numeric) * magnitude end;
end
$$;

-- An amount converted with two rates. An amount that is in the wanted currency already needs no rate.
create function passbook_read.convert_at(
  amount_cents bigint, from_currency text, from_rate numeric, to_currency text, to_rate numeric) returns bigint
language sql immutable parallel safe
return case when from_currency = to_currency then amount_cents
  else passbook_read.convert_cents(amount_cents, from_rate, to_rate) end;

-- An amount in another currency on a day; null when a rate is missing.
create function passbook_read.convert_on(amount_cents bigint, from_currency text, to_currency text, day date) returns bigint
language sql stable parallel safe
return passbook_read.convert_at(
  amount_cents, from_currency, passbook_read.rate_on(from_currency, day), to_currency, passbook_read.rate_on(to_currency, day));

-- A quantity at a price, in whole hundredths, rounded half away from zero, as numeric rounds.
create function passbook_read.value_cents(quantity numeric, price numeric) returns bigint
language sql immutable parallel safe
return round(quantity * price * 100)::bigint;
