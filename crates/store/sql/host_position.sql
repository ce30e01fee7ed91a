-- Role and position of a host: whether it is a standby, the bytes of the write-ahead log that a primary has written or a
-- standby has replayed, and the timeline of a primary, which is 0 for a standby.
select
  pg_catalog.pg_is_in_recovery() as is_standby,
  pg_catalog.pg_wal_lsn_diff(
    case
      when pg_catalog.pg_is_in_recovery() then coalesce(pg_catalog.pg_last_wal_replay_lsn(), '0/0')
      else pg_catalog.pg_current_wal_lsn()
    end,
    '0/0')::bigint as position,
  case
    when pg_catalog.pg_is_in_recovery() then 0
    else ('x' || left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 8))::bit(32)::integer
  end as timeline
