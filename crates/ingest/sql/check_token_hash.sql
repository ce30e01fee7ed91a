-- Tokens with the hash of another token, stored or earlier in the input. The result does not contain the hash.
-- $1 maximum number of rows
select staged.place, null::text, count(*) over ()
from pg_temp.load_personal_access_tokens as staged
where exists (
    select from passbook.personal_access_tokens as other
    where other.token_hash = staged.token_hash
      and (other.user_id, other.token_id) <> (staged.user_id, staged.token_id))
  or exists (
    select from pg_temp.load_personal_access_tokens as other
    where other.token_hash = staged.token_hash
      and (other.user_id, other.token_id) <> (staged.user_id, staged.token_id)
      and other.position < staged.position)
order by staged.position
limit $1
