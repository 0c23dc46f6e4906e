# Usage: sh step.sh FOLDER COMMAND…
# Runs one build step. Its output reaches the platform through pipes rather than the sockets that Node makes, because
# scripts open /dev/stderr, which fails on sockets. A reader that is slow slows the step down.
umask 077
folder=$1
shift
# The note goes into space that was taken before the start: a full disk must not hide how it ended.
finish() { # CODE
  # Whoever ends what a step left behind may hit `mv`, which is a process of its own.
  printf '%s\n' "$1" 1<>"$folder/status.room" && mv "$folder/status.room" "$folder/status" || echo "$1" >"$folder/status"
}
read -r stat </proc/self/stat
mkfifo -m 0666 "$folder/out" "$folder/err" || exit 125 # for /dev/stdout and /dev/stderr, see supervise.sh
echo "$stat" >"$folder/supervisor" || { # nobody would know who runs
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
