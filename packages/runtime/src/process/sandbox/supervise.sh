# Usage: sh supervise.sh FOLDER COMMAND…
# Runs one instance or service. This script runs in a session of its own and outlives the server: it keeps the output and
# writes the exit status to disk. Output passes through pipes: the instance can neither truncate the files nor reserve space
# in them, and its file size limit does not apply to them.
umask 077
folder=$1
shift
# The status is written into space that was reserved before the start: a full disk must not hide it.
finish() { # CODE
  # The kill of remaining processes may hit `mv`, which is a process of its own.
  printf '%s\n' "$1" 1<>"$folder/status.room" && mv "$folder/status.room" "$folder/status" || echo "$1" >"$folder/status"
}
read -r stat </proc/self/stat
# The agent, which has a user id of its own, opens the pipes again as /dev/stdout and /dev/stderr. By name only the platform
# reaches them: nobody else may enter the folder.
mkfifo -m 0666 "$folder/out" "$folder/err" || exit 125
echo "$stat" >"$folder/supervisor" || { # without it nobody could find this process
  finish 125
  exit 125
}
exec 2>"$folder/setup"

# Held open here, so that the relays end with the instance even if it never opens the pipes.
exec 6<>"$folder/out" 7<>"$folder/err"

# Copies one output to its file, piece by piece. While too much of the file is unread, the relay waits: the pipe fills, and
# the instance waits, too. This is so whenever no server runs. The server frees the blocks that it has read, so the blocks
# of the file tell how much is unread. A full disk costs lines, not the instance, which a pipe without a reader would kill.
# A line in the output tells of the loss.
lost='[lines were lost here: they could not be written to disk]'
relay() { # FILE
  while :; do
    # dd's report comes through a pipe: on a full disk a file for it could not be written, and the relay would take that for the end.
    if counted=$(LC_ALL=C dd bs=64k count=256 status=noxfer 2>&1 >>"$1"); then
      counted=${counted%%' records in'*}
      counted=${counted##*[!0-9+]} # a warning may stand before the count
      pieces=$((${counted%+*} + ${counted#*+}))
      [ "$pieces" -eq 256 ] || break # fewer pieces than asked for: the end of the output
    else
      sleep 1
      printf '\n%s\n' "$lost" >>"$1"
    fi
    until [ -e "$folder/code" ] || [ "$(stat -c %b "$1")" -lt 229376 ]; do sleep 0.1; done # 112 MiB in blocks of 512 bytes
  done
}
(
  exec 6<&- 7<&- 2>/dev/null
  relay "$folder/stdout.log"
) <"$folder/out" &
(
  exec 6<&- 7<&- 2>/dev/null
  relay "$folder/stderr.log"
) <"$folder/err" &

"$@" 6<&- 7<&-
code=$?
echo "$code" >"$folder/code"
exec 6<&- 7<&-
wait
finish "$code"
