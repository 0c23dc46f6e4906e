export interface Vocabulary {
  /** The words that may follow each command, by its path: `''`, `'env'`, `'env set'`. */
  words: Map<string, string[]>;
  /** The values of each option that has a fixed set of them, by path and option: `'list --status'`. */
  values: Map<string, string[]>;
  /** Paths of commands that take the name of a project. */
  ofProjects: string[];
}

/** The tool asks the server for them, and prints only names that no shell reads as more than a word. */
const projects = 'paddock completion-values projects 2>/dev/null';

/** The longest known path of commands in the typed text decides which words may follow. */
export const bash = ({ words, values, ofProjects }: Vocabulary) => `# Completes paddock in bash.
_paddock() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
      ${patterns(words)}) path=$next ;;
    esac
  done
  case "$path \${COMP_WORDS[COMP_CWORD - 1]}" in
${options(values, { fixed: (given) => `COMPREPLY=($(compgen -W '${given}' -- "$current"))`, named: `COMPREPLY=($(compgen -W "$(${projects})" -- "$current"))` })}
  esac
  case "$path" in
${cases(words, (given) => `COMPREPLY=($(compgen -W '${given}' -- "$current"))`)}
  esac
  case "$path" in
    ${quotedList(ofProjects)}) [[ "$current" == -* ]] || COMPREPLY+=($(compgen -W "$(${projects})" -- "$current")) ;;
  esac
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _paddock paddock
`;

export const zsh = ({ words, values, ofProjects }: Vocabulary) => `# Completes paddock in zsh.
_paddock() {
  local path_='' word next
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    next="\${path_:+$path_ }$word"
    case "$next" in
      ${patterns(words)}) path_=$next ;;
    esac
  done
  case "$path_ \${words[CURRENT - 1]}" in
${options(values, { fixed: (given) => `compadd -- ${given}`, named: `compadd -- \${(f)"$(${projects})"}` })}
  esac
  case "$path_" in
${cases(words, (given) => `compadd -- ${given}`)}
  esac
  case "$path_" in
    ${quotedList(ofProjects)}) compadd -- \${(f)"$(${projects})"} ;;
  esac
  _files
}
compdef _paddock paddock
`;

export const fish = ({ words, values, ofProjects }: Vocabulary) => {
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
  const named = ofProjects.map((path) => {
    const here = path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    return `complete -c paddock -f -n '${here.join('; and ')}' -a '(${projects})'`;
  });
  const given = [...values].map(([place, all]) => {
    const words = place.split(' ');
    const here = words.slice(0, -1).map((word) => `__fish_seen_subcommand_from ${word}`);
    return `complete -c paddock -x -n '${here.join('; and ')}' -l ${words.at(-1)?.slice(2)} -a '${all.join(' ')}'`;
  });
  const ofProject = `complete -c paddock -x -l project -a '(${projects})'`;
  return `# Completes paddock in fish.\n${[...lines, ...named, ...given, ofProject].join('\n')}\n`;
};

// All words are the CLI's own: letters, digits and hyphens, so they need no further quoting.
const patterns = (words: Vocabulary['words']) =>
  [...words.keys()]
    .filter(Boolean)
    .map((path) => `'${path}'`)
    .join('|');
const cases = (words: Vocabulary['words'], then: (given: string) => string) =>
  [...words].map(([path, given]) => `    '${path}') ${then(given.join(' '))} ;;`).join('\n');

const quotedList = (paths: string[]) => paths.map((path) => `'${path}'`).join('|');

interface Offers {
  fixed: (given: string) => string;
  named: string;
}

/** A line for each option with values. The names of projects may follow `--project` of any command. */
const options = (values: Vocabulary['values'], { fixed, named }: Offers) =>
  [
    ...[...values].map(([place, given]) => `    '${place}') ${fixed(given.join(' '))}; return ;;`),
    `    *' --project') ${named}; return ;;`,
  ].join('\n');
