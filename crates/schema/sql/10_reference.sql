-- What all users share: the categories, the exchange rates, and the rules for texts and conversion.

-- The categories of the contract. A category is on one side only.
create table passbook.categories (
  category text primary key,
  side text not null check (side in ('income', 'expense')),
  category_group text,
  unique (category, side),
  check ((side = 'expense') = (category_group is not null))
);

insert into passbook.categories (category, side, category_group)
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

insert into passbook.categories (category, side)
select category, 'income'
from unnest(array[
  'DIVIDEND', 'GIFT', 'INTEREST', 'INVESTMENT', 'PENSION', 'REFUND', 'SALARY', 'TRANSFER_IN',
  'BENEFITS', 'FREELANCE', 'RENTAL_INCOME', 'OTHER_INCOME'
]) as category;

-- The one currency against which every stored rate is quoted. Loaders change it only while no rate is stored.
create table passbook.rate_base (
  only_row boolean primary key default true check (only_row),
  currency text not null check (currency ~ '^[A-Z]{3}$')
);

insert into passbook.rate_base (currency) values ('EUR');

-- Units of a currency for one unit of the base, as published for a day.
create table passbook.exchange_rates (
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  as_of date not null,
  units_per_base numeric not null check (units_per_base > 0 and units_per_base < 'Infinity'),
  primary key (currency, as_of)
);

-- One row. Writers of exchange rates lock it exclusively, writers of transactions in share mode.
create table passbook.rate_state (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 0
);

insert into passbook.rate_state default values;

-- A text for searches: lower case, without accents. Most texts are ASCII, for which lower case by "C" is the same and needs
-- neither ICU nor a regular expression. Not strict, because PostgreSQL inlines no strict function with a `case`; null gives
-- null all the same.
create function passbook_read.fold(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(value collate "C") collate "und-x-icu"
  else replace(replace(replace(replace(
    translate(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g') collate "und-x-icu"),
      'øłđðħıŧŋĸſ', 'olddhitnks'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
end;

-- A merchant's name without white space around it.
create function passbook_read.merchant_spelling(value text) returns text
language sql immutable strict parallel safe
return btrim(value, E' \t\r\n\u00a0');

-- Lower case and trimmed, with accents: the same for all spellings of a merchant that differ in case.
create function passbook_read.merchant_key(value text) returns text
language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(btrim(value, E' \t\r\n') collate "C") collate "und-x-icu"
  else lower(passbook_read.merchant_spelling(value) collate "und-x-icu")
end;

-- The rules of conversion read the rates as any role.
create view passbook_read.exchange_rates as
  select rates.currency, rates.as_of, rates.units_per_base from passbook.exchange_rates as rates;

create view passbook_read.rate_base as
  select rate_base.currency from passbook.rate_base;

-- The rate of a currency on a day: that of the day, else the newest one of the 31 days before. The base has the rate 1.
create function passbook_read.rate_on(wanted text, day date) returns numeric
language plpgsql stable parallel safe as $$
begin
  return (
    select case when base.currency = wanted then 1 else (
      select rates.units_per_base from passbook_read.exchange_rates as rates
      where rates.currency = wanted and rates.as_of between day - 31 and day
      order by rates.as_of desc limit 1) end
    from passbook_read.rate_base as base);
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
return case
  when from_currency = to_currency then amount_cents
  else passbook_read.convert_cents(amount_cents, from_rate, to_rate)
end;

-- An amount in another currency on a day; null when a rate is missing.
create function passbook_read.convert_on(
  amount_cents bigint, from_currency text, to_currency text, day date) returns bigint
language sql stable parallel safe
return passbook_read.convert_at(
  amount_cents, from_currency, passbook_read.rate_on(from_currency, day), to_currency, passbook_read.rate_on(to_currency, day));

-- A quantity at a price, in whole hundredths, rounded half away from zero, as numeric rounds.
create function passbook_read.value_cents(quantity numeric, price numeric) returns bigint
language sql immutable parallel safe
return round(quantity * price * 100)::bigint;
