# Usage: sh enter.sh DIRECTIVE… -- COMMAND…
# Prepares the process that becomes the sandbox, step by step in the given order, then becomes it.
set -eu
# Exit status 125 tells the driver that the sandbox, not the agent, has failed.
trap 'test $? -eq 0 || exit 125' EXIT
while [ "$1" != -- ]; do
  case $1 in
    tree) # FOLDER: an empty private tree; binds go below it
      tree=$2
      mount -t tmpfs -o mode=0755,size=1m tree "$tree"
      shift 2
      ;;
    bind) # SOURCE NAME
      if [ -d "$2" ]; then mkdir -p "$tree/$3"; else : >"$tree/$3"; fi
      mount --rbind "$2" "$tree/$3"
      shift 3
      ;;
    move) # TARGET: where the tree can be reached by every user
      mount --move "$tree" "$2"
      shift 2
      ;;
    join) # FILE: cgroup.procs of a control group
      echo 0 >"$2"
      shift 2
      ;;
    filter) # FILE: rules that must be in force before the agent starts
      nft -f "$2"
      shift 2
      ;;
    output) # UID: lets the agent open /dev/stdout and /dev/stderr again
      chown "$2" /proc/self/fd/1 /proc/self/fd/2
      shift 2
      ;;
    files) # LIMIT
      ulimit -n "$2" 2>/dev/null || ulimit -n "$(ulimit -H -n)"
      shift 2
      ;;
    filesize) # LIMIT in blocks of 512 bytes
      ulimit -f "$2"
      shift 2
      ;;
    *)
      echo "unknown directive $1" >&2
      exit 125
      ;;
  esac
done
shift
ulimit -c 0
# When the whole machine runs out of memory, agents go before the platform.
echo 500 >/proc/self/oom_score_adj
trap - EXIT
exec "$@"
