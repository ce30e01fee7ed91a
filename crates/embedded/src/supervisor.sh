# Runs a command and interrupts it at the end of standard input. Standard input ends when the process that started this
# script closes the pipe or ends, also when that process is killed. Exits with the status of the command.
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
# Only the end of the pipe ends this script: a signal to the whole process group must not leave the command unsupervised.
trap '' HUP INT TERM
{
    read -r nothing <&3
    pause=
    # The pause is a process of its own, which must not outlive this script.
    trap '{ kill -KILL $pause; wait $pause; } 2>/dev/null; exit' USR1
    # Repeated, because the command may not have installed its signal handler yet.
    while kill -INT "$server" 2>/dev/null; do
        sleep 1 &
        pause=$!
        wait "$pause"
    done
} &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill -USR1 "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit "$status"
