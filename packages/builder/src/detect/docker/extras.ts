/** An extra or a group of dependencies that a line installs besides the project. */
export interface InstalledExtra {
  /** `*` for all extras. */
  name: string;
  line: number;
}

const plainName = /^[A-Za-z0-9][\w.-]{0,60}$/;
/** Options whose value names extras or groups. */
const valued = new Set(['--extra', '--extras', '-E', '--group', '-G', '--with', '--only-group']);
/** Groups of development, which an agent does not need to run. */
const ofDevelopment = /^(?:dev|develop|development|tests?|testing|lint|linting|docs?|typing|types|all-dev)$/i;

/** The extras and groups of `uv sync --extra a`, `pip install .[a]`, `poetry install -E a --with b` and `pdm sync -G a`. */
export function readExtras(words: string[], line: number): InstalledExtra[] {
  const [program = '', verb = ''] = words;
  const isOwn = (program === 'uv' && verb === 'sync') || ((program === 'poetry' || program === 'pdm') && /^(?:install|sync)$/.test(verb));
  const names = program === 'pip' && verb === 'install' ? words.slice(2).flatMap(inBrackets) : [];
  for (let at = 2; isOwn && at < words.length; at++) {
    const [option = '', value] = (words[at] ?? '').split('=', 2);
    if (option === '--all-extras') names.push('*');
    else if (valued.has(option)) names.push(...(value ?? words[++at] ?? '').split(/[\s,]+/));
  }
  return names.filter((name) => name === '*' || (plainName.test(name) && !ofDevelopment.test(name))).map((name) => ({ name, line }));
}

/** The extras of the project's own folder: `.[a,b]`, `/app[a]`. */
function inBrackets(word: string): string[] {
  const open = word.indexOf('[');
  return open > 0 && /^[./]/.test(word) && word.endsWith(']') ? word.slice(open + 1, -1).split(',') : [];
}
