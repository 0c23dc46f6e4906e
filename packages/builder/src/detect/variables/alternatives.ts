import { type LogicalLine, logicalLines, type Token } from '../../python/tokens.ts';
import type { Mention } from './mention.ts';

const services =
  'OPENAI|AZURE|AZURE_OPENAI|ANTHROPIC|CLAUDE|GOOGLE|GEMINI|GROQ|MISTRAL|MISTRALAI|COHERE|OPENROUTER|DEEPSEEK|TOGETHER|TOGETHERAI|TOGETHER_AI|FIREWORKS|HUGGINGFACE|HUGGINGFACEHUB|HF|XAI|GROK|PERPLEXITY|CEREBRAS|NVIDIA|WRITER|DASHSCOPE|MOONSHOT|ZHIPU|ZHIPUAI|STABILITY|DREAMSTUDIO';
const keyOfModels = new RegExp(`^(?:(${services})_(?:API_?)?(?:KEY|TOKEN)|API_?KEY_(${services}))$`);
/** Words for the same provider. */
const same: Record<string, string> = {
  GEMINI: 'GOOGLE',
  CLAUDE: 'ANTHROPIC',
  AZURE_OPENAI: 'AZURE',
  GROK: 'XAI',
  HUGGINGFACEHUB: 'HF',
  HUGGINGFACE: 'HF',
};
const minProviders = 3;

/** The model provider whose key a name is. */
export function findProvider(name: string): string | undefined {
  const [, before, after] = keyOfModels.exec(name) ?? [];
  const word = before ?? after;
  return word === undefined ? undefined : (same[word] ?? word);
}

/**
 * The keys of model providers that one file reads side by side without a check: one of them is enough, so none alone is required. A key
 * that the source gives to a client whatever is chosen is not among them. `sources`: texts of the agent's own source, by file.
 */
export function alternativeKeys(mentions: Mention[], sources: ReadonlyMap<string, string>): Set<string> {
  const byFile = Map.groupBy(
    mentions.filter(({ name }) => findProvider(name) !== undefined),
    ({ at }) => at.slice(0, at.lastIndexOf(':')),
  );
  const all = new Set<string>();
  for (const [file, keys] of byFile) {
    const open = keys.filter(({ need }) => need === 'open');
    const isChecked = keys.some(({ need }) => need === 'required');
    if (!sources.has(file) || isChecked || new Set(open.map(({ name }) => findProvider(name))).size < minProviders) continue;
    for (const { name } of open) all.add(name);
  }
  if (all.size === 0) return all;
  const python = [...sources].filter(([file]) => file.endsWith('.py')).map(([, source]) => source);
  const node = [...sources].filter(([file]) => !file.endsWith('.py')).map(([, source]) => source);
  return all.difference(usedByPython(python, all)).difference(usedByNode(node, all));
}

const maxUses = 200;

/** Keys that a client is made of: `apiKey: env.OPENAI_API_KEY`, `new Groq(keys.GROQ_API_KEY)`. */
function usedByNode(sources: string[], keys: Set<string>): Set<string> {
  const used = new Set<string>();
  for (const source of sources)
    for (const key of keys) {
      let left = maxUses;
      for (let at = source.indexOf(key); at !== -1 && left-- > 0; at = source.indexOf(key, at + 1)) {
        const before = source.slice(Math.max(0, at - 100), at).replace(/(?:\b\w{1,40}\??\.){1,4}$/, '');
        if (/(?:[kK]ey|[tT]oken|auth)\s{0,3}:\s{0,3}$|\bnew\s{1,3}[\w.]{1,60}\(\s{0,3}$/.test(before)) used.add(key);
      }
    }
  return used;
}

/** The key at a token: by its name in a string, or by a constant or field that is called after it. */
function keyAt({ kind, text }: Token, keys: Set<string>): string | undefined {
  if (kind !== 'name' && kind !== 'string') return undefined;
  const name = kind === 'name' ? text.toUpperCase() : text;
  return keys.has(name) ? name : undefined;
}

/** Keys that a client or a check gets in every run: not below a condition, and not in a function that is called only below one. */
function usedByPython(sources: string[], keys: Set<string>): Set<string> {
  const used = new Set<string>();
  const calls = new Set<string>();
  /** Keys that functions and classes read. */
  const readers = new Map<string, Set<string>>();
  for (const source of sources)
    for (const { tokens, isBranch, scopes } of placedLines(source)) {
      const reads = tokens.flatMap((token) => keyAt(token, keys) ?? []);
      for (const scope of scopes) readers.set(scope, (readers.get(scope) ?? new Set()).union(new Set(reads)));
      if (isBranch) continue;
      if (tokens[0]?.text !== 'def') for (const [at, { text }] of tokens.entries()) if (tokens[at + 1]?.text === '(') calls.add(text);
      if (scopes.length > 0 && readers.get(scopes.at(-1)!)?.size === 1) continue;
      for (const key of given(tokens, keys)) used.add(key);
    }
  for (const [reader, [only, ...more]] of readers) if (only !== undefined && more.length === 0 && calls.has(reader)) used.add(only);
  return used;
}

/** Lines with the names of the functions and classes around them, and whether a condition decides if they run. */
function* placedLines(source: string): Generator<{ tokens: Token[]; isBranch: boolean; scopes: string[] }> {
  const around: { indent: number; isBranch: boolean; scope: string | undefined }[] = [];
  for (const { tokens, indent } of logicalLines(source) as Iterable<LogicalLine>) {
    while (around.length > 0 && around.at(-1)!.indent >= indent) around.pop();
    const words = tokens[0]?.text === 'async' ? tokens.slice(1) : tokens;
    const [first, second] = [words[0]?.text ?? '', words[1]?.text];
    const scope = first === 'def' || first === 'class' ? second : undefined;
    const isBranch = scope === undefined && around.at(-1)?.isBranch === true;
    if (scope !== undefined || tokens.at(-1)?.text === ':') {
      const isCondition = /^(?:if|elif|else|case|except)$/.test(first) && second !== '__name__';
      around.push({ indent, isBranch: isBranch || isCondition, scope });
    }
    const scopes = around.flatMap((one) => one.scope ?? []);
    const isTernary = first !== 'if' && tokens.some(({ text }) => text === 'if');
    yield { tokens: words, isBranch: isBranch || isTernary || first === 'elif', scopes };
  }
}

const noClient = /^(?:print|bool|len|str|dict|get|getenv|Field|SecretStr)$|env$/;

/** Keys that are the only one among the arguments of a call, or that `if not key` checks. */
function given(tokens: Token[], keys: Set<string>): string[] {
  if (tokens[0]?.text === 'if') {
    const checked = new Set(tokens.flatMap((token) => keyAt(token, keys) ?? []));
    return checked.size === 1 && tokens.some(({ text }) => text === 'not') ? [...checked] : [];
  }
  const open: number[] = [];
  const byCall = new Map<number, Set<string>>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'op' && '([{'.includes(token.text)) open.push(at);
    if (token.kind === 'op' && ')]}'.includes(token.text)) open.pop();
    const key = keyAt(token, keys);
    // The brackets around a name in quotes are those of the read.
    const call = key === undefined ? undefined : open.at(token.kind === 'string' ? -2 : -1);
    const isEntry = tokens[at + 1]?.text === '=' || tokens[at + 1]?.text === ':';
    if (key === undefined || call === undefined || isEntry || tokens[call]?.text !== '(') continue;
    const callee = tokens[call - 1];
    if (callee?.kind !== 'name' || noClient.test(callee.text) || (tokens[0]?.text === 'def' && call === 2)) continue;
    byCall.set(call, (byCall.get(call) ?? new Set()).add(key));
  }
  return [...byCall.values()].flatMap((names) => (names.size === 1 ? [...names] : []));
}
