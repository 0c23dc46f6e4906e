/** A statement that imports from a module, without its list of names. */
const importsFrom = /^[ \t]{0,40}from[ \t]{1,5}([\w.]{1,200})[ \t]{1,5}import\b/;
const importsWhole = /^[ \t]{0,40}import[ \t]{1,5}(.{1,300})$/;
const maxListLines = 60;

interface Imports {
  /** Names of a file by the module that they come from. */
  names: Map<string, string[]>;
  /** The words of the file outside of its imports and comments. */
  words: Set<string>;
}

/** The imports of a Python file, and the words beside them. */
export function readImports(source: string): Imports {
  const names = new Map<string, string[]>();
  const rest: string[] = [];
  const lines = source.split(/\r?\n/).map((line) => line.split('#', 1)[0] ?? '');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const from = importsFrom.exec(line.slice(0, 500));
    if (from !== null) {
      let list = line.slice(from[0].length);
      const last = at + maxListLines;
      while (((list.includes('(') && !list.includes(')')) || list.trimEnd().endsWith('\\')) && at < lines.length - 1 && at < last)
        list += ` ${lines[++at]}`;
      add(names, from[1] ?? '', list.replaceAll(/[()\\]/g, ' '));
      continue;
    }
    const whole = importsWhole.exec(line.slice(0, 500))?.[1];
    if (whole === undefined) rest.push(line);
    else for (const one of whole.split(',')) add(names, one.trim().split(/\s/, 1)[0] ?? '', one);
  }
  return { names, words: new Set(rest.join('\n').split(/\W+/)) };
}

/** `a, b as c`: the names that the file uses. A module is used by its first part. */
function add(names: Map<string, string[]>, module: string, list: string): void {
  const used = list.split(',').flatMap((one) => {
    const words = one.trim().split(/\s+/);
    const name = words[1] === 'as' ? words[2] : words[0]?.split('.', 1)[0];
    return name === undefined || name === '' ? [] : [name];
  });
  names.set(module, [...(names.get(module) ?? []), ...used]);
}
