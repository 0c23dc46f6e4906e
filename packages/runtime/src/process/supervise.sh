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

# Held open here, so that the relays end with the instance even if it never comes to write.
exec 6<>"$folder/out" 7<>"$folder/err"
# A full disk costs lines, not the instance: without a reader its next write would kill it. A line tells of it.
lost='[lines were lost here: they could not be written to disk]'
(
  exec 6<&- 7<&- 2>/dev/null
  until cat >>"$folder/stdout.log"; do
    sleep 1
    printf '\n%s\n' "$lost" >>"$folder/stdout.log"
  done
) <"$folder/out" &
(
  exec 6<&- 7<&- 2>/dev/null
  until cat >>"$folder/stderr.log"; do
    sleep 1
    printf '\n%s\n' "$lost" >>"$folder/stderr.log"
  done
) <"$folder/err" &

"$@" 6<&- 7<&-
code=$?
echo "$code" >"$folder/code"
exec 6<&- 7<&-
wait
echo "$code" >"$folder/status"
