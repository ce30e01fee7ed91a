#!/bin/sh
# Creates the role with which the server logs in, before `passbook-admin migrate` gives it its rights. psql reads the
# password from the environment, because every account of the machine can read command lines.
set -eu
psql --username postgres --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 <<'SQL'
\getenv password READER_PASSWORD
create role passbook_reader login password :'password';
SQL
