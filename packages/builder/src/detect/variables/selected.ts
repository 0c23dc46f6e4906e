import type { Mention } from './mention.ts';

/** `settings.llm_provider.lower() == "groq"`, `PROVIDER === 'groq'` */
const comparison =
  /\b([A-Za-z_]\w{1,60})(?:\.(?:lower|strip|toLowerCase|trim)\(\)){0,2}\s{0,5}={2,3}\s{0,5}["'`]([A-Za-z][\w-]{1,40})["'`]/g;
/** Names of settings that choose a service. */
const chooser = /(?:^|_)(?:PROVIDER|BACKEND|LLM|ENGINE|VENDOR|STORE|ADAPTER|RESOLVER|DRIVER)(?:_TYPE|_NAME)?$/;
/** Further words that the variables of a service begin with. */
const aliases: Record<string, string[]> = { gemini: ['GOOGLE'], google: ['GEMINI'], claude: ['ANTHROPIC'], gpt: ['OPENAI'] };

/** `MONGO_ENABLED`, `ENABLE_MONGO` */
const flag = /^(?:([A-Z0-9]{3,40})_ENABLED|(?:ENABLE|USE)_([A-Z0-9]{3,40}))$/;

/** The service that a flag leaves out by default. */
function switchedOff({ name, need, value = '' }: Mention): string[] {
  const [, before, after] = flag.exec(name) ?? [];
  const service = before ?? after;
  return service === undefined || need !== 'default' || !/^(?:false|0|no|off)$/i.test(value) ? [] : [service];
}

const maxChosen = 10;
const maxComparisons = 500;

/** `switch (settings.adapter || 'file') {` and Python's `match provider:` */
const branching = /\b(?:switch\s{0,3}\(([^(){}\n]{1,120})\)\s{0,3}\{|match\s{1,3}([\w.]{1,80})(?:\.lower\(\))?:)/g;
const maxBranches = 3000;

/** Providers of models, as keys of a table that a setting chooses from. */
const providers = new Set(
  'openai azure anthropic claude google gemini vertex groq mistral cohere ollama openrouter deepseek together fireworks huggingface bedrock xai perplexity'.split(
    ' ',
  ),
);
const key = /["'`]([A-Za-z][\w-]{1,40})["'`]\s{0,3}:/g;

/** The providers in the tables of a source; none if the one that is used by default is not among them. */
function readTables(source: string, used: string): string[] {
  const names = [...source.matchAll(key)].map(([, name = '']) => name.toLowerCase()).filter((name) => providers.has(name));
  return names.includes(used.toLowerCase()) ? names : [];
}

/** The pairs of a setting and a name that it is compared with. */
function* comparisons(source: string): Generator<[setting: string, service: string]> {
  for (const [, setting = '', service = ''] of source.matchAll(comparison)) yield [setting, service];
  for (const { 0: head, 1: inBrackets, 2: plain, index } of source.matchAll(branching)) {
    const settings = (inBrackets ?? plain ?? '').split(/\W+/).filter((word) => word !== '');
    const [body = ''] = source.slice(index + head.length, index + head.length + maxBranches).split(/\bswitch\s{0,3}\(|\bmatch\s{1,3}\w/, 1);
    for (const [, service = ''] of body.matchAll(/\bcase\s{1,3}["'`]([A-Za-z][\w-]{1,40})["'`]\s{0,3}:/g))
      for (const setting of settings) yield [setting, service];
  }
}

const listPrefixes = (service: string) => {
  const plain = service.toLowerCase();
  const own = plain.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  return [own, ...(Object.hasOwn(aliases, plain) ? (aliases[plain] ?? []) : [])];
};
const begins = (name: string, prefixes: Iterable<string>) => [...prefixes].some((prefix) => name.startsWith(`${prefix}_`));

/**
 * A test for variables of services that the source does not use by default: it compares a setting, such as `LLM_PROVIDER`, with several names,
 * and the setting's default is another one, or a flag such as `MONGO_ENABLED` is off. `mentions`: all mentions of variables.
 */
export function notSelected(mentions: Mention[], sources: string[]): (name: string) => boolean {
  const off = new Set(mentions.flatMap(switchedOff));
  const isOff = (name: string) => off.size > 0 && !flag.test(name) && [...off].some((part) => `_${name}_`.includes(`_${part}_`));
  const chosen = mentions.filter(({ name, need, value }) => need === 'default' && value !== undefined && chooser.test(name.toUpperCase()));
  if (chosen.length === 0) return isOff;
  const compared = new Map<string, Set<string>>();
  let left = maxComparisons;
  for (const source of sources)
    for (const [setting, service] of comparisons(source)) {
      if (left-- <= 0) break;
      const key = setting.toLowerCase();
      compared.set(key, (compared.get(key) ?? new Set()).add(service));
    }
  const others = new Set<string>();
  const used = new Set<string>();
  for (const { name, value = '' } of chosen.slice(0, maxChosen)) {
    const wanted = name.toLowerCase();
    const services = [...compared].flatMap(([setting, all]) => (wanted === setting || wanted.endsWith(`_${setting}`) ? [...all] : []));
    for (const source of sources) if (source.toLowerCase().includes(wanted)) services.push(...readTables(source, value));
    for (const service of services)
      if (service.toLowerCase() !== value.toLowerCase()) for (const prefix of listPrefixes(service)) others.add(prefix);
    for (const prefix of listPrefixes(value)) used.add(prefix);
  }
  return (name) => isOff(name) || (begins(name, others) && !begins(name, used));
}
