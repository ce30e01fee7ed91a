-- What every user shares: the categories and the exchange rates. Nothing here says anything about a person.

-- The categories of the contract. The side decides what a row may be: no category is on both sides.
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

-- The one currency that every stored rate is quoted against. Loaders change it only while no rate is stored.
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
