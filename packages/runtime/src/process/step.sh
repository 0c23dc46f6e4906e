# Usage: sh step.sh FOLDER COMMAND…
# Runs one build step. Its output reaches the platform through pipes rather than the sockets that Node makes, because
# scripts open /dev/stderr, which fails on sockets. A reader that is slow slows the step down.
umask 077
folder=$1
shift
read -r stat </proc/self/stat
mkfifo "$folder/out" "$folder/err" || exit 125
echo "$stat" >"$folder/supervisor"
# The shell's own remarks ("Killed") are not output of the step.
exec 4>&2 2>/dev/null
cat <"$folder/out" 4>&- &
cat <"$folder/err" >&4 &
exec 4>&-
"$@" >"$folder/out" 2>"$folder/err"
code=$?
wait
echo "$code" >"$folder/status"
