import assert from 'node:assert/strict';
import { sized } from '../../../scripts/test/size.ts';

/** Quadratic work on the long text takes more than `alwaysFineMs` even at half a nanosecond a step. */
const short = sized({ short: 1024, long: 2 * 1024 });
/** Sixteen times as long: linear work takes 16 times as long, quadratic work 256 times. */
const long = 16 * short;
const maxFactor = 64;
/** Shorter times are not noticed, and garbage collection takes as long as the work. */
const alwaysFineMs = 120;
const repeats = 4;

/**
 * Fails when work grows clearly more than linearly with the length of its input. Measures the processor time of this thread and takes the
 * minimum of several attempts, so that a busy machine makes no difference. Work that is fast on the large input passes at once.
 */
export async function growsLinearly<T>(what: string, make: (length: number) => T | Promise<T>, work: (made: T) => unknown): Promise<void> {
  const large = await make(long);
  if (spent(work, large) <= alwaysFineMs) return;
  const small = await make(short);
  const measure = (made: T) => Math.min(...Array.from({ length: repeats }, () => spent(work, made)));
  const [least, most] = [measure(small), measure(large)];
  const told = `${what}: ${least.toFixed(1)} ms of processor time for ${short} characters, ${most.toFixed(1)} ms for ${long}`;
  assert.ok(most <= Math.max(alwaysFineMs, maxFactor * least), told);
}

function spent<T>(work: (made: T) => unknown, made: T): number {
  const before = process.threadCpuUsage();
  try {
    work(made);
  } catch (error) {
    // Refused input was read, too.
    if (!(error instanceof Error)) throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * A piece of each kind: white space, quotes, brackets, separators, words, a line of each syntax, and beginnings that explanations of
 * failures search for.
 */
// biome-ignore format: a list of words
export const kindsOfPieces = [
  ' ', '\t', '\n', '\r\n', '\u2028', ' \u2028', ' #', '=', ': ', ',', '-', '.', '/', '\\', '\\\n', '@', '"', "'", '"""', '(', '[', '[[', '{', ']', '}', '<', '||', '&a ', '*a ', '${', 'a',
  '1.', 'a=1\n', 'a: {', 'import a\n', 'def f():\n', 'process.env.A ', 'class A(BaseSettings):\n', 'FROM a\n', 'ENV A=$A$A\n', '-r a\n', '<<A\n', '[a]\n', '\u001b[', '://', 'a://b@',
  'error', 'npm error ', '>=1 ',
];

/** Pieces that strangers repeat: white space of every kind, quotes, brackets, and words at which our own rules begin a closer search. */
// biome-ignore format: a list of words
export const pieces = [
  ...kindsOfPieces,
  '\r', '#', ' = ', ':', '::', ', ', '- ', '..', './', '@ ', '`', 'f(', '{"a":', ')', '>', '^', '~', '&', '*', '!', '|', '%', '$PORT', 'A', 'é', '0', '_A', 'a.', 'a,', 'a: 1\n', 'A=1\n',
  'from a import b\n', 'x = a.B()\n', 'uvicorn.run(', "env('A_B', ", '} = process.env', '!process.env.A', ' a: str = Field(', 'not os.getenv("A") ', '| A_B | ', '```\n', '- A_B=${',
  'os.getenv( ', 'A_KEY= #', 'export ', 'web: ', 'CMD ', 'CMD [', 'COPY . .\n', 'RUN a && ', '$(', 'cd a;', '-e git+a/', 'a[b', '#egg=', '[[a]]\n', 'a.b=1\n', '"a"\n', '\u001b]', 'a://b',
  'Error ', 'lockfile ', 'Failed to fetch ', "Cannot read file '", "error: command '", 'FileNotFoundError: ', 'KeyError: ', 'libA', '.so', 'validation error for ', 'a\n  Field', 'must ',
  'exec: ', 'python ', 'nodejs ', 'lts/', '1 - 2 ', '1 || ', 'v1', '"outDir" ', 'DJANGO_SETTINGS_MODULE', 'root_agent ', 'lockfileVersion: ',
];
