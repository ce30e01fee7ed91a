-- One row, which shows that the database executes queries.
select true as connected
