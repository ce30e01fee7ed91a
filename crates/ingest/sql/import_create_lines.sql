-- The lines of one file on their way to the table of observations. PostgreSQL copies rows only into tables without
-- row-level security.
create temp table import_lines (like passbook.import_observations) on commit drop
