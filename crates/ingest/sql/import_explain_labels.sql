-- Own category, tags and note of a transaction: those that count, and those that the person removed by hand, without a text.
-- $1 user id, $2 transaction id
select 'own category' as kind, concat_ws(': ', parent.name, own.name) as text, labels.is_own_category_by_hand as by_hand
from passbook.transaction_labels as labels
join passbook.transactions as t using (user_id, transaction_id)
left join passbook.own_categories as own on own.user_id = t.user_id and own.own_category_id = t.own_category_id
left join passbook.own_categories as parent on parent.user_id = own.user_id and parent.own_category_id = own.parent_id
where t.user_id = $1 and t.transaction_id = $2 and (t.own_category_id is not null or labels.is_own_category_by_hand)
union all
select case when coalesce(given.by_hand, given.is_given) then 'tag' else 'removed tag' end, tags.name, given.by_hand is not null
from passbook.transaction_tags as given
join passbook.tags as tags using (user_id, tag_id)
where user_id = $1 and transaction_id = $2
union all
select 'note', coalesce(t.note, ''), labels.is_note_by_hand
from passbook.transaction_labels as labels
join passbook.transactions as t using (user_id, transaction_id)
where user_id = $1 and transaction_id = $2 and (t.note is not null or labels.is_note_by_hand)
order by 1, 2
