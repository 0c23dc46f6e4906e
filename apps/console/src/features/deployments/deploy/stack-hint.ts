export interface StackHint {
  language: 'Python' | 'Node.js' | 'Static site' | 'Shell script';
  /** The file that the hint comes from. */
  because: string;
  /** The file that would be started, if it can be told from its name. */
  entry: string | null;
  manifest: string | null;
  /** The single folder that contains everything; the builder strips it. */
  root: string;
}

const pythonMarks = ['requirements.txt', 'pyproject.toml', 'Pipfile', 'uv.lock', 'poetry.lock', 'pdm.lock'];
const pythonEntries = ['main', 'app', 'server', 'agent', 'bot', 'start', 'run', 'streamlit_app'].map((name) => `${name}.py`);
const nodeEntries = ['server', 'index', 'app'].flatMap((name) => ['js', 'mjs', 'ts'].map((ending) => `${name}.${ending}`));

/** Guesses the stack from file names alone; the builder reads the files and decides. Null if no name is known. */
export function detectStack(names: readonly string[]): StackHint | null {
  const root = commonFolder(names);
  const files = new Set(names.map((name) => name.slice(root.length)));
  const first = (wanted: readonly string[]) => wanted.find((name) => files.has(name)) ?? null;
  const manifest = first(['paddock.yaml', 'paddock.yml', 'Procfile']);
  const pythonEntry = first([...pythonEntries, ...pythonEntries.map((name) => `src/${name}`)]);
  const hint = (language: StackHint['language'], because: string, entry: string | null) => ({ language, because, entry, manifest, root });

  const python = first(pythonMarks);
  if (python) return hint('Python', python, pythonEntry);
  if (files.has('package.json'))
    return hint('Node.js', 'package.json', first([...nodeEntries, ...nodeEntries.map((name) => `src/${name}`)]));
  if (pythonEntry) return hint('Python', pythonEntry, pythonEntry);
  if (files.has('index.html')) return hint('Static site', 'index.html', 'index.html');
  if (files.has('start.sh')) return hint('Shell script', 'start.sh', 'start.sh');
  return null;
}

/** The single folder that contains everything, with its slash; empty if there is none. */
export function commonFolder(names: readonly string[]): string {
  const folder = /^[^/]+\//.exec(names[0] ?? '')?.[0] ?? '';
  return folder !== '' && names.every((name) => name.startsWith(folder)) ? folder : '';
}
