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

# A full disk costs lines, not the instance: without a reader its next write would kill it.
relay() {
  until cat >>"$1"; do sleep 1; done 2>/dev/null
}
relay "$folder/stdout.log" <"$folder/out" 3<&- 4>&- 5<&- &
relay "$folder/stderr.log" <"$folder/err" 3<&- 4>&- 5<&- &

"$@" >"$folder/out" 2>"$folder/err"
code=$?
wait
echo "$code" >"$folder/status"
