import type { SourceTree } from '../source-tree.ts';
import { findProvider } from './alternatives.ts';
import { clients } from './clients.ts';

/** Files that an agent may read a name from: its source, and the configuration beside it. */
const telling =
  /\.(?:py|[cm]?[jt]sx?|vue|svelte|go|rs|rb|sh|bash|ya?ml|json|jsonc|toml|ini|cfg|conf|prisma|j2|xml|ipynb|baml|properties)$/i;
const foldersAside = new Set(
  'test tests __tests__ doc docs example examples sample samples benchmark benchmarks eval evals e2e fixtures'.split(' '),
);
const nameAside = /^test_.{0,200}$|_test\.py$|^conftest\.py$|\.(?:test|spec|stories|d)\.\w{1,5}$|^(?:docker-)?compose\b|lock\b/i;
const code = /\.(?:py|[cm]?[jt]sx?)$/i;
const maxFiles = 1000;
const maxCharacters = 8 * 1024 ** 2;

/** Names that are put together, or a whole environment that is handed on to another program. */
const computed = [
  /\bgetenv\(\s{0,5}(?![\s"'r)])/,
  /\benviron(?:\.get\(|\.pop\(|\[)\s{0,5}(?![\s"')])/,
  /\benviron\b(?!\s{0,3}(?:\[|\.(?:get|pop|setdefault)\())(?!["'])/,
  /\bprocess\.env\b(?!\??\.[A-Za-z]|\??\.?\[\s{0,3}["'])/,
  /\b(?:_?env_prefix|envvar_prefix|env_nested_delimiter|[eE]nvPrefix)\b/,
  /\bst\.secrets\[\s{0,3}(?!["'])/,
  /\bextra\s{0,3}=\s{0,3}["']allow["']/,
  /\benv\.get\(\s{0,3}(?!["'`])/,
];
/** Schemas name each variable that they take from the environment. */
const bySchema =
  /\b(?:safeParse\(|parse\(|runtimeEnv:|cleanEnv\(|from os import|import) {0,3}(?:process\.env|environ)\b|[\w,}] {0,3}\n?\} {0,3}= {0,3}process\.env[;\n]/g;
/** First words that name no service, so that a package with the same word says nothing. */
const general = new Set(
  'my your app api ai bot web server service model llm agent admin superuser user jwt secret session access auth token key master default test client public private internal custom external db database postgres postgresql pg mysql mariadb mongo mongodb grafana gf minio'.split(
    ' ',
  ),
);
/** Other names of the packages that read a service's key. */
const packagesOf: Record<string, RegExp> = {
  hf: /hugging|transformers|smolagents|diffusers/,
  huggingfacehub: /hugging|transformers|smolagents/,
  aws: /boto|bedrock|strands|aws/,
  auth: /auth/,
  jwt: /jwt|auth/,
  session: /session|auth/,
  secret: /auth/,
  ai: /^ai$|^@ai-sdk\/gateway$/,
  postgres: /lightrag/,
  langgraph: /lang/,
};

/** Keys of Slack that its library reads only in one way to run. */
const ofSlack: Record<string, string> = { SLACK_APP_TOKEN: 'socketmode', SLACK_CLIENT_ID: 'oauth', SLACK_CLIENT_SECRET: 'oauth' };

interface Archive {
  /** Names of the dependencies. */
  packages: Set<string>;
  /** The agent has source in its language. */
  hasSource: boolean;
}

/**
 * A test for names that only examples, the README or a compose file mention: whether neither the archive nor a library that it uses can
 * read them. Where names are computed, or the files are too many to read, none is.
 */
export function unreadNames(tree: SourceTree, { packages, hasSource }: Archive): (name: string) => boolean {
  let words: Words | null | undefined;
  const libraries = [...packages].map((one) => one.toLowerCase());
  return (name) => {
    if (!hasSource || name.includes('__') || findProvider(name) !== undefined) return false;
    if (clients.some((client) => client.names.includes(name) && libraries.some((one) => Object.hasOwn(client.packages, one)))) return false;
    words ??= words === null ? null : collectWords(tree);
    if (words === null || words.live.has(compact(name))) return false;
    return words.commented.has(name) || !isOfService(name, { libraries, words: words.live });
  };
}

const compact = (word: string) => word.replaceAll('_', '').toLowerCase();

interface Words {
  /** Words of the files, in small letters and without underscores: `openaiApiKey` may be OPENAI_API_KEY. */
  live: Set<string>;
  /** Variables that lines read which are commented out. */
  commented: Set<string>;
}

const commentedRead = /(?:\bprocess\.env\.|\bgetenv\(["']|\benviron(?:\.get\(|\[)["'])([A-Z][A-Z0-9_]{1,63})/g;

/** Whether a file is a test, a document, a compose file or a list of versions. */
function isAside(file: string): boolean {
  const folders = file.toLowerCase().split('/');
  const name = folders.pop() ?? '';
  return nameAside.test(name) || folders.some((folder) => foldersAside.has(folder) || folder.startsWith('.'));
}

/** The words of all files that an agent may read a name from; null if they do not settle which names it reads. */
function collectWords(tree: SourceTree): Words | null {
  const files = tree.files.filter((file) => telling.test(file) && !isAside(file));
  if (files.length > maxFiles) return null;
  const live = new Set<string>();
  const commented = new Set<string>();
  let left = maxCharacters;
  for (const file of files) {
    const source = tree.read(file) ?? '';
    left -= source.length;
    if (left < 0) return null;
    const kept: string[] = [];
    for (const line of source.split('\n')) {
      if (!/^\s{0,200}(?:#|\/\/|\/\*|\*)/.test(line)) kept.push(line);
      else for (const [, name = ''] of line.slice(0, 500).matchAll(commentedRead)) commented.add(name);
    }
    const text = kept.join('\n');
    if (code.test(file)) {
      // `const { A_KEY, ...others } = process.env` takes the whole.
      const plain = /\.\.\.\w{1,60} {0,3}\n?\} {0,3}= {0,3}process\.env/.test(text) ? text : text.replaceAll(bySchema, '');
      if (computed.some((one) => one.test(plain))) return null;
    }
    for (const [word] of text.matchAll(/[A-Za-z_]\w{0,100}/g)) live.add(compact(word));
  }
  return { live, commented };
}

/** Words of names that tell what a value is for. */
const kinds = new Set(
  'next publishable anon id sid url uri endpoint host port region email username name signing verify webhook app bot client project account organization org workspace business phone number connection string service role version pat key token secret password credentials dsn api access'.split(
    ' ',
  ),
);

/** Whether a dependency or the source speaks of the service that a name begins or ends with, and of all of it: its library may read the name. */
function isOfService(name: string, { libraries, words }: { libraries: string[]; words: Set<string> }): boolean {
  const mode = ofSlack[name];
  if (mode !== undefined) return [...words].some((word) => word.includes(mode));
  const parts = name.toLowerCase().split('_');
  const service = /^(?:api|access|bot|auth)$/.test(parts[0] ?? '') ? parts.at(-1)! : parts[0]!;
  const known = Object.hasOwn(packagesOf, service) ? packagesOf[service] : undefined;
  if (known !== undefined && libraries.some((one) => known.test(one))) return true;
  if (general.has(service)) return false;
  const isNamed = (part: string) =>
    part.length < 4
      ? libraries.some((one) => one.split(/[^a-z0-9]/).includes(part)) || words.has(part)
      : libraries.some((one) => one.includes(part)) || [...words].some((word) => word.includes(part));
  return isNamed(service) && parts.every((part) => part === service || kinds.has(part) || general.has(part) || isNamed(part));
}
