# Installs, starts and purges the package in a new Debian system. systemd does not run there, so the program is started
# directly, as the account of the service.
package=$1
log=/srv/log

apt-get install --yes --quiet "$package"
passbook-server --version
passbook-admin --version
test "$(stat -c %U:%a /var/lib/passbook)" = passbook:700
test "$(stat -c %U:%G:%a /etc/passbook/config.toml)" = root:passbook:640
test -f /usr/lib/systemd/system/passbook.service

: > "$log"
setpriv --reuid=passbook --regid=passbook --clear-groups \
    passbook-server --config /etc/passbook/config.toml >"$log" 2>&1 &
server=$!
tries=0
until grep -q '^base ' "$log"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 60 ] || ! kill -0 "$server"; then
        cat "$log"
        exit 1
    fi
    sleep 1
done
cat "$log"
kill -TERM "$server"
wait "$server"

apt-get purge --yes --quiet passbook
test ! -e /etc/passbook
test ! -e /var/lib/passbook
test ! -e /usr/bin/passbook-server
if getent passwd passbook; then
    exit 1
fi
