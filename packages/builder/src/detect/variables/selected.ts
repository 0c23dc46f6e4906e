import type { Mention } from './mention.ts';

/** `settings.llm_provider.lower() == "groq"`, `PROVIDER === 'groq'` */
const comparison =
  /\b([A-Za-z_]\w{1,60})(?:\.(?:lower|strip|toLowerCase|trim)\(\)){0,2}\s{0,5}={2,3}\s{0,5}["'`]([A-Za-z][\w-]{1,40})["'`]/g;
/** Names of settings that choose a service. */
const chooser = /(?:^|_)(?:PROVIDER|BACKEND|LLM|ENGINE|VENDOR|STORE)(?:_TYPE|_NAME)?$/;
/** Further words that the variables of a service begin with. */
const aliases: Record<string, string[]> = { gemini: ['GOOGLE'], google: ['GEMINI'], claude: ['ANTHROPIC'], gpt: ['OPENAI'] };

const maxComparisons = 500;

const listPrefixes = (service: string) => {
  const plain = service.toLowerCase();
  const own = plain.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  return [own, ...(Object.hasOwn(aliases, plain) ? (aliases[plain] ?? []) : [])];
};
const begins = (name: string, prefixes: Iterable<string>) => [...prefixes].some((prefix) => name.startsWith(`${prefix}_`));

/**
 * A test for variables of services that the source does not use by default: it compares a setting, such as `LLM_PROVIDER`, with several names,
 * and the setting's default is another one. `mentions`: the reads of all variables.
 */
export function notSelected(mentions: Mention[], sources: string[]): (name: string) => boolean {
  const chosen = mentions.filter(({ name, need, value }) => need === 'default' && value !== undefined && chooser.test(name.toUpperCase()));
  if (chosen.length === 0) return () => false;
  const compared = new Map<string, Set<string>>();
  let left = maxComparisons;
  for (const source of sources)
    for (const [, setting = '', service = ''] of source.matchAll(comparison)) {
      if (left-- === 0) break;
      const key = setting.toLowerCase();
      compared.set(key, (compared.get(key) ?? new Set()).add(service));
    }
  const others = new Set<string>();
  const used = new Set<string>();
  for (const { name, value = '' } of chosen) {
    const key = name.toLowerCase();
    const services = [...compared].flatMap(([setting, all]) => (key === setting || key.endsWith(`_${setting}`) ? [...all] : []));
    for (const service of services)
      if (service.toLowerCase() !== value.toLowerCase()) for (const prefix of listPrefixes(service)) others.add(prefix);
    for (const prefix of listPrefixes(value)) used.add(prefix);
  }
  return (name) => begins(name, others) && !begins(name, used);
}
