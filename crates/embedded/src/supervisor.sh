# Runs the command given and interrupts it when standard input ends, which is when the process that started
# us closes its end of the pipe or ends, however it ends. Exits as the command does.
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
# Only the end of the pipe ends us: who signals a whole group of processes must not leave the command alone.
trap '' HUP INT TERM
{
    read -r nothing <&3
    # Repeated, because the command may not have been listening yet.
    while kill -INT "$server" 2>/dev/null; do sleep 1; done
} &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill -KILL "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit "$status"
