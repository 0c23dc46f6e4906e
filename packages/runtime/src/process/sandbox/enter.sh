# Usage: sh enter.sh FOLDER DIRECTIVE… -- COMMAND…
# Prepares the process that becomes the sandbox, step by step in the given order, then becomes it.
set -eu
folder=$1
score=500 # when the whole machine runs out of memory, the kernel ends agents before the platform
shift
while [ "$1" != -- ]; do
  case $1 in
    tree) # a private tree with all the folders below it
      tree=$folder/tree
      mount --all --fstab "$folder/fstab"
      shift
      ;;
    bind) # FILE NAME: a single file
      : >"$tree/$3"
      mount --bind "$2" "$tree/$3"
      shift 3
      ;;
    move) # TARGET: where every user can reach the tree
      mount --move "$tree" "$2"
      shift 2
      ;;
    join) # FILE: cgroup.procs of a control group
      echo 0 >"$2"
      shift 2
      ;;
    filter) # rules that must be in force before the agent starts
      nft -f "$folder/rules.nft"
      shift
      ;;
    files) # LIMIT of open files
      ulimit -n "$2" 2>/dev/null || ulimit -n "$(ulimit -H -n)"
      shift 2
      ;;
    filesize) # LIMIT of one file, in blocks of 512 bytes
      ulimit -f "$2"
      shift 2
      ;;
    score) # NUMBER: replaces the score above
      score=$2
      shift 2
      ;;
    directory) # PATH
      cd "$2"
      shift 2
      ;;
    arguments) # for bwrap; it reads them from the open descriptor, the secrets in them leave the disk
      exec 3<"$folder/seccomp" 5<"$folder/arguments"
      rm "$folder/arguments"
      shift
      ;;
    *)
      echo "unknown directive $1" >&2
      exit 125
      ;;
  esac
done
shift
ulimit -c 0
umask 022
echo "$score" >/proc/self/oom_score_adj
: >"$folder/entered"
# Until here errors are the platform's; from here on output is the agent's.
exec >"$folder/out" 2>"$folder/err"
exec "$@"
