# Usage: sh supervise.sh FOLDER COMMAND…
# Runs one instance. It is started in a session of its own and outlives the server, so that the output is kept and the
# exit status is on disk whoever asks for it later. Output passes through pipes: the instance can then neither truncate
# nor reserve space in the files, and its own file size limit does not apply to them.
umask 077
folder=$1
shift
read -r stat </proc/self/stat
mkfifo "$folder/out" "$folder/err" || exit 125
echo "$stat" >"$folder/supervisor"
exec 2>"$folder/setup"

# A full disk costs lines, not the instance: without a reader its next write would kill it.
relay() {
  until cat >>"$1"; do sleep 1; done 2>/dev/null
}
# Held open here, so that the relays end with the instance even if it never comes to write.
exec 6<>"$folder/out" 7<>"$folder/err"
relay "$folder/stdout.log" <"$folder/out" 6<&- 7<&- &
relay "$folder/stderr.log" <"$folder/err" 6<&- 7<&- &

"$@" 6<&- 7<&-
code=$?
exec 6<&- 7<&-
wait
echo "$code" >"$folder/status"
