# Usage: sh step.sh FOLDER COMMAND…
# Runs one build step. Its output reaches the platform through pipes, not through the sockets that Node makes: scripts open
# /dev/stderr, which fails on sockets. A slow reader slows the step down.
umask 077
folder=$1
shift
# The status is written into space that was reserved before the start: a full disk must not hide it.
finish() { # CODE
  # The kill of remaining processes may hit `mv`, which is a process of its own.
  printf '%s\n' "$1" 1<>"$folder/status.room" && mv "$folder/status.room" "$folder/status" || echo "$1" >"$folder/status"
}
read -r stat </proc/self/stat
mkfifo -m 0666 "$folder/out" "$folder/err" || exit 125 # for /dev/stdout and /dev/stderr, see supervise.sh
echo "$stat" >"$folder/supervisor" || { # without it nobody could find this process
  finish 125
  exit 125
}
exec 4>&2 2>"$folder/setup"

exec 6<>"$folder/out" 7<>"$folder/err"
cat <"$folder/out" 4>&- 6<&- 7<&- &
cat <"$folder/err" >&4 4>&- 6<&- 7<&- &
exec 4>&-

"$@" 6<&- 7<&-
code=$?
echo "$code" >"$folder/code"
exec 6<&- 7<&-
wait
finish "$code"
