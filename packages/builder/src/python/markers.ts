/** A condition of PEP 508, such as `python_version < "3.12" and sys_platform == "linux"`. */
type Marker = Comparison | { join: 'and' | 'or'; parts: Marker[] };

interface Comparison {
  left: string;
  operator: string;
  right: string;
}

const maxCharacters = 4000;
const maxDepth = 50;
const tokens = /\s*(?:([()])|(===|[<>=!~]=|[<>])|('[^']*'|"[^"]*")|([A-Za-z_][\w.]*))/y;
const opposites: Record<string, string> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '==': '!=',
  '===': '!=',
  '!=': '==',
  in: 'not in',
  'not in': 'in',
};

/** A marker that is true if all of them are; undefined stands for a marker that is always true. */
export function allOf(markers: (string | undefined)[]): string | undefined {
  return joined(markers, 'and');
}

/** A marker that is true if any of them is; undefined if one of them is always true. */
export function anyOf(markers: (string | undefined)[]): string | undefined {
  return markers.includes(undefined) ? undefined : joined(markers, 'or');
}

function joined(markers: (string | undefined)[], join: 'and' | 'or'): string | undefined {
  const distinct = [...new Set(markers.filter((marker) => marker !== undefined && marker !== ''))] as string[];
  return distinct.length < 2 ? distinct[0] : distinct.map((marker) => `(${marker})`).join(` ${join} `);
}

/** The opposite of a marker; undefined if it cannot be read. */
export function negated(text: string): string | undefined {
  const marker = parsed(text);
  return marker === undefined ? undefined : written(opposite(marker));
}

/** The marker as if every extra were requested; undefined if it is then always true, or cannot be read. */
export function withExtras(text: string): string | undefined {
  const marker = parsed(text);
  const rest = marker && withoutExtra(marker);
  return rest === undefined || rest === true ? undefined : written(rest);
}

function withoutExtra(marker: Marker): Marker | true {
  if (!('join' in marker)) return [marker.left, marker.right].includes('extra') ? true : marker;
  const parts = marker.parts.map(withoutExtra);
  const rest = parts.filter((part) => part !== true);
  if (rest.length === 0 || (marker.join === 'or' && rest.length < parts.length)) return true;
  return { join: marker.join, parts: rest };
}

function opposite(marker: Marker): Marker {
  if ('join' in marker) return { join: marker.join === 'and' ? 'or' : 'and', parts: marker.parts.map(opposite) };
  const { left, operator, right } = marker;
  if (operator !== '~=') return { left, operator: opposites[operator] ?? '!=', right };
  const prefix = right.slice(1, -1).split('.').slice(0, -1).join('.');
  return {
    join: 'or',
    parts: [
      { left, operator: '<', right },
      { left, operator: '!=', right: `"${prefix}.*"` },
    ],
  };
}

function written(marker: Marker): string {
  if (!('join' in marker)) return `${marker.left} ${marker.operator} ${marker.right}`;
  const parts = marker.parts.map((part) => ('join' in part && part.parts.length > 1 ? `(${written(part)})` : written(part)));
  return parts.join(` ${marker.join} `);
}

function parsed(text: string): Marker | undefined {
  if (text.length > maxCharacters) return undefined;
  const words = splitWords(text.trim());
  if (words === undefined) return undefined;
  const state = { words, at: 0 };
  const marker = readJoined(state, 'or', 0);
  return state.at === words.length ? marker : undefined;
}

function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  tokens.lastIndex = 0;
  while (tokens.lastIndex < text.length) {
    const word = tokens.exec(text)?.[0];
    if (word === undefined) return undefined;
    words.push(word.trimStart());
  }
  return words;
}

interface Reading {
  words: string[];
  at: number;
}

function readJoined(state: Reading, join: 'and' | 'or', depth: number): Marker | undefined {
  const parts: Marker[] = [];
  do {
    const part = join === 'or' ? readJoined(state, 'and', depth) : readSingle(state, depth);
    if (part === undefined) return undefined;
    parts.push(part);
  } while (state.words[state.at] === join && state.at++ >= 0);
  return parts.length === 1 ? parts[0] : { join, parts };
}

function readSingle(state: Reading, depth: number): Marker | undefined {
  const { words } = state;
  if (words[state.at] === '(') {
    state.at++;
    const inner = depth > maxDepth ? undefined : readJoined(state, 'or', depth + 1);
    return words[state.at++] === ')' ? inner : undefined;
  }
  const left = words[state.at++];
  const first = words[state.at++];
  const operator = first === 'not' && words[state.at++] === 'in' ? 'not in' : (first ?? '');
  const right = words[state.at++];
  const isKnown = Object.hasOwn(opposites, operator) || (operator === '~=' && /^["']\d+(?:\.\d+)+["']$/.test(right ?? ''));
  if (!isKnown || !isOperand(left) || !isOperand(right)) return undefined;
  return { left, operator, right };
}

const isOperand = (word: string | undefined): word is string => word !== undefined && /^(?:["']|[A-Za-z_])/.test(word);

const clause = /^(>=|<=|==|!=|~=|>|<)\s{0,5}(\d[\d.]{0,20}(?:\.\*)?)$/;
const maxRange = 300;

/**
 * The marker of a range of Python versions; undefined if it allows every version, or cannot be read. Clauses are separated by commas,
 * ranges by `||`. `exact` converts a clause from a package manager's own notation to PEP 440.
 */
export function pythonMarker(range: unknown, exact: (part: string) => string): string | undefined {
  if (typeof range !== 'string' || range.length > maxRange) return undefined;
  const alternatives = range.split('||').map((part) => {
    const clauses = exact(part)
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .map((one) => clause.exec(one));
    if (clauses.includes(null)) return undefined;
    return clauses.map((match) => `python_full_version ${match?.[1]} "${match?.[2]}"`).join(' and ') || undefined;
  });
  return anyOf(alternatives);
}

const pipfileKeys = [
  'os_name',
  'sys_platform',
  'platform_machine',
  'platform_python_implementation',
  'platform_release',
  'platform_system',
  'platform_version',
  'python_version',
  'python_full_version',
  'implementation_name',
  'implementation_version',
];

/** The environments in which Pipenv installs a package: its `markers`, and keys such as `sys_platform = "== 'win32'"`. */
export function pipfileMarker(entry: Record<string, unknown>): string | undefined {
  const stated = [entry.markers].flat().filter((one): one is string => typeof one === 'string');
  const keys = pipfileKeys.flatMap((key) => (typeof entry[key] === 'string' ? [`${key} ${entry[key].trim()}`] : []));
  return allOf([...stated, ...keys]);
}
