import { type Client, clients } from './clients.ts';
import { readImports } from './imported-names.ts';
import type { Mention } from './mention.ts';

/** Code that passes a key or an address to a client does not need the variable that the client would read. */
const passesKey = /\b(?:open_?ai_?)?api_?key\b|\bbase_?url\b|\bvertexai\b/i;

/** A module gets its key once, for all files that import it: `openai.api_key = settings.key`, `genai.configure(…)`. */
const givesKey = /\b(\w{1,40})\.(?:api_key {0,3}=[^=]|configure\()/g;

function isGivenKey({ packages }: Client, sources: string[]): boolean {
  const modules = new Set(Object.values(packages).flatMap((path) => path.split('.').at(-1) ?? []));
  if (modules.has('generativeai')) modules.add('genai');
  return sources.some((source) => [...source.matchAll(givesKey)].some(([, module = '']) => modules.has(module)));
}

/**
 * Whether any file names what others import from the client's package: not all code that an agent has imports for is switched on. A list of
 * all names (`*`) counts as used.
 */
function usedByPython(sources: string[]): (client: Client, users: string[]) => boolean {
  const words = new Set(sources.flatMap((source) => [...readImports(source).words]));
  return ({ packages }, users) =>
    users.some((source) =>
      [...readImports(source).names].some(([module, names]) => {
        const isOfClient = Object.values(packages).some((path) =>
          [module, `${module}.${names[0]}`].some((one) => `${one}.`.startsWith(`${path}.`)),
        );
        return isOfClient && names.some((name) => name === '*' || words.has(name));
      }),
    );
}

/** OpenAI's package also has the clients of Azure, which read other variables. */
function isOfAzure({ names }: Client, source: string): boolean {
  if (names[0] !== 'OPENAI_API_KEY' || !azure.test(source)) return false;
  return !/\b(?:Async|Chat)?OpenAI(?:Embeddings)?\(/.test(source.replaceAll(azureNames, ''));
}

const azure = /\b(?:Async)?Azure(?:Chat)?OpenAI(?:Embeddings)?\(/;
const azureNames = /\b(?:Async)?Azure(?:Chat)?OpenAI(?:Embeddings)?\(/g;

interface Using {
  /** Mentions of variables by the archive. */
  mentions: Mention[];
  sources: string[];
  /** Whether a module is the archive's own; for Node undefined. */
  isOwn: ((module: string) => boolean) | undefined;
}

/** The variables that installed clients read by themselves, or need although a settings class has `None` in reserve for them. */
export function keysOfClients(packages: Set<string>, { mentions, sources, isOwn }: Using): Mention[] {
  const known = new Set(mentions.map(({ name }) => name));
  const isUsed = isOwn === undefined ? () => true : usedByPython(sources);
  const found = clients.flatMap((client) => {
    const brought = Object.keys(client.packages).find((name) => packages.has(name));
    if (brought === undefined) return [];
    const users = sources.filter((source) => imports(client, { packages, isOwn }, source) && !isOfAzure(client, source));
    return users.length === 0 ? [] : [{ client, at: `package ${brought}`, users, isUsed: isUsed(client, users) }];
  });
  // An archive that uses none may use all in a way that is not seen.
  const used = found.some((one) => one.isUsed) ? found.filter((one) => one.isUsed) : found;
  const unnamed = used
    .filter(({ client }) => !client.names.some((name) => known.has(name)))
    .map(({ client, at, users }): Mention => {
      const isGiven = isGivenKey(client, users) || users.every((source) => passesKey.test(source));
      const need = isGiven ? 'default' : 'open';
      return { name: client.names[0], at, need };
    });
  return [...unnamed, ...withheldKey(found, mentions)];
}

/** The key of the one client that the source uses: without any other client, `None` is a key that is still missing. */
function withheldKey(used: { client: Client; at: string }[], mentions: Mention[]): Mention[] {
  const [only] = used;
  if (only === undefined || used.length > 1) return [];
  const name = only.client.names.find((one) => mentions.some((mention) => mention.name === one && mention.isNone));
  if (name === undefined || mentions.some((one) => (one.name === name && one.isOptional) || isLocalModel(one))) return [];
  return [{ name, at: only.at, need: 'required' }];
}

/** The default of `OPENAI_BASE_URL` and the like is a server on the same machine, which needs no key. */
const isLocalModel = ({ name, value = '' }: Mention) => /_(?:BASE_URL|API_BASE)$/.test(name) && /\/\/(?:localhost|127\.)/.test(value);

function imports(client: Client, { packages, isOwn }: { packages: Set<string> } & Pick<Using, 'isOwn'>, source: string): boolean {
  return Object.entries(client.packages).some(([name, path]) => {
    if (!packages.has(name)) return false;
    if (isOwn === undefined) return [`'${path}'`, `"${path}"`].some((way) => source.includes(way));
    if (isOwn(path.split('.', 1)[0] ?? '')) return false;
    const dot = path.lastIndexOf('.');
    const ways = [`from ${path}`, `import ${path}`];
    if (dot !== -1) ways.push(`from ${path.slice(0, dot)} import ${path.slice(dot + 1)}`);
    return ways.some((way) => source.includes(way));
  });
}
