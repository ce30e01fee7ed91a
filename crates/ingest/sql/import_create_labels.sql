-- Temporary tables for the labels that files and rules give.

-- The transactions of all files, each with the line that gives its labels and the rule that does.
create temp table labelled_rows (
  transaction_id uuid not null, file_id uuid, statement integer, position integer, rule integer) on commit drop;

-- The own categories that lines and rules name. A name that the person deleted is not stored again unless a new file or a rule
-- names it.
create temp table named_categories (
  user_id uuid not null, rule integer, parent text, name text not null, parent_id uuid, own_category_id uuid,
  parent_category text, category text not null, is_new boolean not null) on commit drop;

create temp table named_tags (name text not null, tag_id uuid not null, is_new boolean not null) on commit drop;

create temp table given_labels (
  user_id uuid not null, transaction_id uuid not null, own_category_id uuid, note text, tags text[] not null,
  tag_ids uuid[] not null) on commit drop;
