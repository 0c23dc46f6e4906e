import { parse } from 'yaml';
import { BuildError } from '../build-error.ts';
import type { SourceTree } from '../detect/source-tree.ts';
import { table } from './pyproject.ts';
import { readRequirement, readRequirementsFile } from './requirements.ts';

export const condaFiles = ['environment.yml', 'environment.yaml'] as const;

/** Packages on conda's channels that have another name on the Python index. */
const indexNames: Record<string, string> = {
  pytorch: 'torch',
  'pytorch-cpu': 'torch',
  opencv: 'opencv-python-headless',
  'py-opencv': 'opencv-python-headless',
  'python-graphviz': 'graphviz',
  'matplotlib-base': 'matplotlib',
  'msgpack-python': 'msgpack',
  'pillow-simd': 'pillow',
  psycopg2: 'psycopg2-binary',
  'grpc-python': 'grpcio',
  'uvicorn-standard': 'uvicorn[standard]',
  'tensorflow-cpu': 'tensorflow',
};

const maxEntryLength = 200;

/** Packages that are not Python packages, or that every environment has anyway. */
const notOnIndex =
  /^(?:python|python_abi|pip|setuptools|wheel|conda|mamba|pytorch-cuda|cuda\S*|cudatoolkit|cudnn|ffmpeg|nodejs|git|gcc\S*|gxx\S*|make|cmake|openssl|sqlite|ca-certificates|tk|xz|zlib|readline|ncurses|bzip2|ld_impl\S*|lib\S+|_\S+|graphviz|poppler|tesseract|openjdk|postgresql|redis)$/;

/**
 * Requirements in conda's environment file: the lines of its `pip` list, and its own packages under their names on the Python index. Null
 * if there is no such file.
 */
export function condaRequirements(tree: SourceTree): { file: string; lines: string[]; inputs: string[] } | null {
  const file = condaFiles.find((path) => tree.has(path));
  if (file === undefined) return null;
  const { dependencies } = table(readYaml(tree.read(file) ?? '', file));
  const entries: unknown[] = Array.isArray(dependencies) ? dependencies : [];
  const found = { file, lines: [] as string[], inputs: [file] as string[] };
  for (const entry of entries) {
    const line = typeof entry === 'string' ? toRequirement(entry) : null;
    if (line !== null) found.lines.push(line);
    const { pip } = table(entry);
    for (const one of Array.isArray(pip) ? pip : []) addPipLine(tree, String(one).trim(), found);
  }
  return found.lines.length === 0 ? null : found;
}

function readYaml(source: string, file: string): unknown {
  try {
    return parse(source);
  } catch (error) {
    throw new BuildError('detect', 'environment_invalid', {
      message: `${file} is not valid YAML: ${(error as Error).message.split('\n')[0]}.`,
      hint: 'Correct it, or add a requirements.txt, and deploy again.',
    });
  }
}

function addPipLine(tree: SourceTree, line: string, found: { lines: string[]; inputs: string[] }): void {
  const list = /^(?:-r|--requirement)[ =]{1,3}([\w./-]{1,200})$/.exec(line)?.[1];
  if (list !== undefined) {
    const included = readRequirementsFile(tree, list);
    found.lines.push(...included.lines);
    found.inputs.push(...included.inputs);
  } else if (readRequirement(line) !== null || /^(?:-e\s+)?git\+/.test(line)) found.lines.push(line);
}

/** Converts `channel::name=1.2=build` or `name>=1` to a requirement; null if it is not a Python package. */
function toRequirement(entry: string): string | null {
  const text = entry.slice(0, maxEntryLength).trim();
  const spec = text.slice(text.indexOf('::') + 1).replace(/^:/, '');
  const written = /^[\w.-]{1,100}/.exec(spec)?.[0] ?? '';
  const rest = spec.slice(written.length);
  const name = written.toLowerCase();
  if (name === '' || notOnIndex.test(name)) return null;
  const exact = /^\s?==?([\w.!+]{1,50})=([\w.]{1,100})$/.exec(rest.trim());
  // An exported environment names the build of each package. Only builds of Python packages contain `py`.
  if (exact !== null) return exact[2]!.includes('py') ? `${onIndex(name)}==${exact[1]}` : null;
  return `${onIndex(name)}${toConstraint(rest.trim())}`;
}

const onIndex = (name: string) => indexNames[name] ?? name;

/** For conda `=1.2` means any 1.2. Other operators mean the same to both. */
function toConstraint(rest: string): string {
  const loose = /^=\s?(\d[\w.]{0,49}?)(?:\.\*)?$/.exec(rest);
  if (loose !== null) return `==${loose[1]}.*`;
  const bare = /^\s?(\d[\w.]{0,49}?)\.?\*$/.exec(rest);
  if (bare !== null) return `==${bare[1]}.*`;
  return /^[<>=!~][\w.,<>=!~* ]{1,100}$/.test(rest) ? rest.replaceAll(' ', '') : '';
}
