# Usage: sh supervise.sh FOLDER COMMAND…
# Runs one instance. It is started in a session of its own and outlives the server, so that the output is kept and the
# exit status is on disk whoever asks for it later. Output passes through pipes: the instance can then neither truncate
# nor reserve space in the files, and its own file size limit does not apply to them.
umask 077
folder=$1
shift
# The note goes into space that was taken before the start: a full disk must not hide how it ended.
finish() { # CODE
  # Whoever ends what an instance left behind may hit `mv`, which is a process of its own.
  printf '%s\n' "$1" 1<>"$folder/status.room" && mv "$folder/status.room" "$folder/status" || echo "$1" >"$folder/status"
}
read -r stat </proc/self/stat
# The agent, which has a user id of its own, opens them again as /dev/stdout and /dev/stderr. By name nobody comes to them: the
# folder lets in none but the platform.
mkfifo -m 0666 "$folder/out" "$folder/err" || exit 125
echo "$stat" >"$folder/supervisor" || { # nobody would know who runs
  finish 125
  exit 125
}
exec 2>"$folder/setup"

# Held open here, so that the relays end with the instance even if it never comes to write.
exec 6<>"$folder/out" 7<>"$folder/err"

# Copies one output to its file, piece by piece, and waits while too much of it lies unread: then the pipe fills, and the
# instance waits, too. This holds as long as no server runs. What is read is taken out of the file, so its blocks tell.
# A full disk costs lines, not the instance: without a reader its next write would kill it. A line tells of it.
lost='[lines were lost here: they could not be written to disk]'
relay() { # FILE
  while :; do
    # Counted through a pipe: a file for it could not be written on a full disk, and the relay would take that for the end.
    if counted=$(LC_ALL=C dd bs=64k count=256 status=noxfer 2>&1 >>"$1"); then
      counted=${counted%%' records in'*}
      counted=${counted##*[!0-9+]} # what stands before it is a warning
      pieces=$((${counted%+*} + ${counted#*+}))
      [ "$pieces" -eq 256 ] || break # fewer than asked for: the end
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
