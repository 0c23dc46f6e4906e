import type { AskedVariable, Language } from '../plan.ts';
import { composeHosts, hostIn } from './compose-file.ts';
import type { SourceTree } from './source-tree.ts';
import { alternativeKeys } from './variables/alternatives.ts';
import { needOfSignIn, requiredByChainlit } from './variables/chainlit.ts';
import { keysOfClients } from './variables/client-keys.ts';
import { filledByCompose, namedByCompose } from './variables/compose.ts';
import { addConstants, type Constants } from './variables/constants.ts';
import { namedByExamples } from './variables/example-files.ts';
import { isHarmless, isSecret, type Mention } from './variables/mention.ts';
import { keysOfModels } from './variables/models.ts';
import { readByNode } from './variables/node-reads.ts';
import { readByPrisma } from './variables/prisma.ts';
import { readByPython, strictReaders } from './variables/python-reads.ts';
import { namedByReadme } from './variables/readme.ts';
import { notSelected } from './variables/selected.ts';
import { settingsBases } from './variables/settings-classes.ts';
import { unreadNames } from './variables/unread.ts';

const maxNames = 60;
/** Bases of settings classes, and readers; each file is searched for all of them. */
const maxBases = 100;
const maxFiles = 200;
const maxCharacters = 8 * 1024 ** 2;
const foldersAside = new Set(
  'test tests __tests__ doc docs example examples scripts vendor third_party migrations benchmark benchmarks eval evals e2e fixtures'.split(
    ' ',
  ),
);
const testOfNode = /\.(test|spec|stories|d|config)\.\w+$|^(jest|vitest)[.-]setup\.\w+$/;
const testOfPython = /^(test_.*|.*_test|conftest|setup|(example|sample|demo)s?(_.*)?)\.py$/;
const python = /\.py$/;
const node = /\.[cm]?[jt]sx?$/;

/** The agent's own source, without tests, documents and the like. */
export const ownSource = (tree: SourceTree) =>
  tree.files
    .filter((file) => (python.test(file) || node.test(file)) && !isAside(file))
    .map((file) => ({ file, depth: file.split('/').length }))
    .toSorted((a, b) => a.depth - b.depth)
    .map(({ file }) => file)
    .slice(0, maxFiles);

/** Tests, documents, hidden files and the like. */
function isAside(file: string): boolean {
  const folders = file.split('/');
  const name = folders.pop() ?? '';
  return folders.some((folder) => foldersAside.has(folder) || folder.startsWith('.')) || testOfPython.test(name) || testOfNode.test(name);
}

/** Facts about the archive. */
interface Known {
  language: Language;
  /** Names of its dependencies. */
  packages: Iterable<string>;
  /** Scripts that the start does not load: the agent runs without the variables that they alone need. */
  other_scripts?: string[];
}

/** Variables that the archive reads, or that its example files, README and compose file name: required ones first. */
export function requiredVariables(tree: SourceTree, { language, packages, other_scripts = [] }: Known): AskedVariable[] {
  const { bySource, sources: byFile } = readBySource(tree, language, new Set(other_scripts));
  const sources = [...byFile.values()];
  const named = [...namedByExamples(tree), ...namedByReadme(tree), ...namedByCompose(tree)];
  const installed = new Set(packages);
  const isOwn = language === 'node' ? undefined : (module: string) => tree.has(`${module}.py`) || tree.hasFolder(module);
  const byClients = keysOfClients(installed, { mentions: [...bySource, ...named], sources, isOwn });
  const byModels = keysOfModels(installed, { known: new Set([...bySource, ...named, ...byClients].map(({ name }) => name)), sources });
  const byName = new Map<string, { source: Mention[]; named: Mention[] }>();
  const add = (mention: Mention, where: 'source' | 'named') => {
    const entry = byName.get(mention.name) ?? { source: [], named: [] };
    byName.set(mention.name, entry);
    entry[where].push(mention);
  };
  for (const mention of bySource) add(mention, 'source');
  for (const mention of named) add(mention, 'named');
  for (const mention of byClients) add(mention, mention.need === 'required' ? 'source' : 'named');
  for (const mention of byModels) add(mention, 'source');
  // Variables that the agent sets itself are not asked for.
  const open = [...byName.values()].filter(({ source, named: by }) => by.length > 0 || !source.some(({ need }) => need === 'assigned'));
  const isOpen = (name: string) => byName.get(name)?.source.some(({ need }) => need === 'open') === true;
  const hasDefault = (name: string) => byName.get(name)?.source.some(({ need }) => need === 'default') === true;
  const isNotSelected = notSelected([...bySource, ...named], sources);
  const alternatives = alternativeKeys(bySource, byFile);
  const isCertain = (name: string) => byName.get(name)?.source.some(({ need }) => need === 'required') === true;
  const isUnread = unreadNames(tree, { packages: installed, hasSource: sources.length > 0 });
  /** Only an example, the README or a compose file names it, and does not say that it is required. */
  const isHearsay = (name: string) => {
    const { source = [], named: by = [] } = byName.get(name) ?? {};
    return source.length === 0 && by.every(({ need, isDemanded, at }) => need !== 'required' && !isDemanded && !at.startsWith('package '));
  };
  const filled = filledByCompose(tree);
  const isSpare = (name: string) =>
    isNotSelected(name) ||
    (alternatives.has(name) && !isCertain(name)) ||
    (isHearsay(name) && (filled.has(name) || (language === 'python' && ofPages.test(name)) || isUnread(name)));
  const hosts = composeHosts(tree);
  /** The value in reserve is a host that only the compose file's network has. */
  const isElsewhere = (name: string) => {
    const { source = [], named: by = [] } = byName.get(name) ?? {};
    const values = [...source, ...by].map(({ value = '' }) => hostIn(value));
    return source.length > 0 && ofPlace.test(name) && values.some((host) => host !== undefined && hosts.has(host));
  };
  const signIn = needOfSignIn([...byName.keys()], sources);
  const each = open.map(asked).map((one) => {
    const required = isCertain(one.name) ? undefined : signIn(one.name);
    if (required !== undefined) return { ...one, required };
    if (one.required) return isSpare(one.name) ? { ...one, required: false } : one;
    return hosts.size > 0 && isElsewhere(one.name) && !isNotSelected(one.name) ? { ...one, required: true } : one;
  });
  const all = withTheirAddresses(withTheirGroups(each), (name) => isOpen(name) && !hasDefault(name));
  const [needed, others] = [all.filter(({ required }) => required), all.filter(({ required }) => !required)];
  const isTelling = ({ name, secret }: AskedVariable) => secret || ofDatabase.test(name);
  const byWeight = [...needed, ...others.filter(isTelling), ...others.filter((one) => !isTelling(one))];
  const kept = new Set(byWeight.slice(0, maxNames));
  return [...needed, ...others].filter((one) => kept.has(one));
}

/** Names of variables that come with a Paddock database, by their first words. */
const ofDatabase = /^(?:DATABASE|POSTGRES(?:QL)?|PG|REDIS|DB)(?:_|[A-Z]{4})/;

/**
 * Marks the other variables of a group as required too if an example file sets them: pydantic makes one value of `MODEL__TYPE` and
 * `MODEL__KEY`.
 */
function withTheirGroups(all: AskedVariable[]): AskedVariable[] {
  const groupOf = (name: string) => /^(.{1,100}?[^_])__[^_]/.exec(name)?.[1];
  const needed = new Set(all.filter(({ required }) => required).flatMap(({ name }) => groupOf(name) ?? []));
  return all.map((one) => (one.example !== undefined && needed.has(groupOf(one.name) ?? '') ? { ...one, required: true } : one));
}

/** An address that the source reads without a default is as necessary as the key of the same service: `SUPABASE_URL` beside `SUPABASE_KEY`. */
function withTheirAddresses(all: AskedVariable[], isLeftOpen: (name: string) => boolean): AskedVariable[] {
  const keys = all.filter(({ required, secret }) => required && secret).map(({ name }) => name);
  return all.map((one) => {
    const service = ofAddress.exec(one.name)?.[1];
    const isNeeded =
      service !== undefined && !service.endsWith('_BASE') && isLeftOpen(one.name) && keys.some((key) => key.startsWith(`${service}_`));
    return isNeeded ? { ...one, required: true } : one;
  });
}

/** `OPENAI_BASE_URL` and the like only replace an address that the client knows. */
const ofAddress = /^([A-Z][A-Z0-9_]{1,60})_(?:URL|URI|ENDPOINT)$/;

/** The scheme of a database's address shows the driver, which is worth knowing. The login belongs to somebody else and is removed. */
const withoutLogin = (value: string) => value.replace(/^(postgres(?:ql)?(?:\+\w{1,20})?:\/\/)[^/@\s]{1,200}@/, '$1');

function asked({ source, named }: { source: Mention[]; named: Mention[] }): AskedVariable {
  const all = [...source, ...named];
  const readable = all.filter(({ need }) => need !== 'assigned');
  const { name, at } = readable.find((one) => !one.at.startsWith('package ')) ?? readable[0] ?? all[0]!;
  const values = [...named, ...source].flatMap(({ value }) => (value === undefined ? [] : withoutLogin(value)));
  const value = values.find((each) => isHarmless(name, each));
  const required = isRequired(name, source, named);
  return { name, required, secret: isSecret(name), at, ...(value === undefined ? {} : { example: value }) };
}

/** Tracing is optional: agents run without an account, and only log that it is missing. */
const neverNeeded = /^(LANGCHAIN|LANGSMITH|LANGFUSE|SENTRY|WANDB|POSTHOG|HELICONE|AGENTOPS|PHOENIX|COMET|OPIK|VOLTAGENT)_/;

/** Account names that belong to a secret: a client requires both or neither. */
const isAccount = /_(?:SID|API_HASH|(?:ACCOUNT|CLIENT|APP|API)_ID)$/;

/** Variables of pages that a front end builds. */
const ofPages = /^(?:VITE|NEXT_PUBLIC|REACT_APP|NUXT_PUBLIC|EXPO_PUBLIC|PUBLIC)_/;
const ofPlace = /(?:^|_)(?:URL|URI|ENDPOINT|HOST|REGION|BROKER|ADDRESS|SERVERS?)$/;

/** The source decides. A variable that only other files name is required if they leave it empty. */
function isRequired(name: string, source: Mention[], named: Mention[]): boolean {
  const has = (mentions: Mention[], need: Mention['need']) => mentions.some((mention) => mention.need === need);
  if (has(source, 'assigned')) return false;
  const isSettled = has(source, 'default');
  if (source.some(({ need, isListed }) => need === 'required' && !(isListed && isSettled))) return true;
  if (neverNeeded.test(name)) return false;
  const isEmpty = has(named, 'open') || has(named, 'required');
  // A library may read a name that the source does not: keys, accounts and addresses.
  if (source.length === 0) return has(named, 'required') || (isEmpty && (isSecret(name) || isAccount.test(name) || ofPlace.test(name)));
  if (named.some(({ isOptional }) => isOptional) && !has(source, 'required')) return false;
  // An empty text in reserve is a value for a setting, and none for a key or an address.
  const isFilled = source.some(({ isBlank }) => isBlank) && !ofPlace.test(name) && !ofDatabase.test(name);
  return has(source, 'open') && !has(source, 'default') && (isSecret(name) || isAccount.test(name) || (isEmpty && !isFilled));
}

/** `sources`: texts of the agent's own source, by file. */
function readBySource(
  tree: SourceTree,
  language: Language,
  otherScripts: Set<string>,
): { bySource: Mention[]; sources: Map<string, string> } {
  const bySource: Mention[] = language === 'node' ? readByPrisma(tree) : [];
  const byOthers: Mention[] = [];
  const sources = new Map<string, string>();
  const classes = new Set<string>();
  const bases = new Set<string>();
  const readers = new Set<string>();
  const constants: Constants = new Map();
  let left = maxCharacters;
  for (const file of ownSource(tree)) {
    const isPython = python.test(file);
    if ((language === 'python' && !isPython) || (language === 'node' && isPython)) continue;
    const source = tree.read(file) ?? '';
    left -= source.length;
    if (left < 0) break;
    sources.set(file, source);
    addConstants(source, isPython, constants);
    if (isPython && bases.size < maxBases) for (const base of settingsBases(source)) bases.add(base);
    if (isPython && readers.size < maxBases) for (const reader of strictReaders(source)) readers.add(reader);
  }
  for (const [file, source] of sources) {
    const mentions = python.test(file)
      ? [...readByPython(source, file, { classes, bases, readers, constants }), ...requiredByChainlit(source, file)]
      : readByNode(source, file, constants);
    if (otherScripts.has(file))
      byOthers.push(...mentions.map((one) => (one.need === 'assigned' ? one : { ...one, need: 'default' as const })));
    else bySource.push(...mentions);
  }
  // A variable that the start reads as well is as necessary as the start needs it.
  const own = new Set(bySource.map(({ name }) => name));
  return { bySource: [...bySource, ...byOthers.filter(({ name }) => !own.has(name))], sources };
}
