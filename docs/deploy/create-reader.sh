#!/bin/sh
# Creates the role with which the server logs in, before `passbook-admin migrate` gives it its rights.
set -eu
psql --username postgres --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set "password=$READER_PASSWORD" <<'SQL'
create role passbook_reader login password :'password';
SQL
