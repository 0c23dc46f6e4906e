export type Words = Map<string, string[]>;

/** The longest known path of commands in the typed text decides which words may follow. */
export const bash = (words: Words) => `# Completes paddock in bash.
_paddock() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
      ${patterns(words)}) path=$next ;;
    esac
  done
  case "$path" in
${cases(words, (given) => `COMPREPLY=($(compgen -W '${given}' -- "$current"))`)}
  esac
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _paddock paddock
`;

export const zsh = (words: Words) => `# Completes paddock in zsh.
_paddock() {
  local path_='' word next
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    next="\${path_:+$path_ }$word"
    case "$next" in
      ${patterns(words)}) path_=$next ;;
    esac
  done
  case "$path_" in
${cases(words, (given) => `compadd -- ${given}`)}
  esac
  _files
}
compdef _paddock paddock
`;

export const fish = (words: Words) => {
  const top = [...words.keys()].filter((path) => path !== '' && !path.includes(' '));
  const lines = [...words].flatMap(([path, given]) => {
    const typed = path.split(' ').filter(Boolean);
    const next = given.filter((word) => !word.startsWith('--'));
    const here = typed.length
      ? typed.map((word) => `__fish_seen_subcommand_from ${word}`)
      : [`not __fish_seen_subcommand_from ${top.join(' ')}`];
    const nothingBelow = typed.length && next.length ? [`not __fish_seen_subcommand_from ${next.join(' ')}`] : [];
    return [
      ...given.filter((word) => word.startsWith('--')).map((word) => `complete -c paddock -n '${here.join('; and ')}' -l ${word.slice(2)}`),
      ...next.map((word) => `complete -c paddock -n '${[...here, ...nothingBelow].join('; and ')}' -a ${word}`),
    ];
  });
  return `# Completes paddock in fish.\n${lines.join('\n')}\n`;
};

// All words are the CLI's own: letters, digits and hyphens, so they need no further quoting.
const patterns = (words: Words) =>
  [...words.keys()]
    .filter(Boolean)
    .map((path) => `'${path}'`)
    .join('|');
const cases = (words: Words, then: (given: string) => string) =>
  [...words].map(([path, given]) => `    '${path}') ${then(given.join(' '))} ;;`).join('\n');
