-- The number of given rows whose labels differ from those that a source gave before.
select count(*)
from pg_temp.given_rows as staged
left join passbook.transaction_labels as labels using (user_id, transaction_id)
where (
    (labels.given_own_category_id, labels.given_note) is distinct from (staged.own_category_id, staged.note)
    or array(
      select tags.tag_id from passbook.transaction_tags as tags
      where tags.user_id = staged.user_id and tags.transaction_id = staged.transaction_id and tags.is_given
      order by tags.tag_id)
    <> array(select tag_id from unnest(staged.tag_ids) as tag_id order by tag_id))
