import { type PiiType, piiTypes } from '@paddock/pii/types';
import { type PolicyRule, type RetainedData, ruledDatabaseModes, ruledEnvironments } from './rule.ts';

/** Splits `a, b and c` into a list without empty or repeated entries. */
export const splitList = (text: string): string[] => [
  ...new Set(
    text
      .replaceAll(' and ', ',')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
];

/** Undefined unless there is at least one entry and every entry is found. */
export function each<Found>(entries: readonly string[], find: (entry: string) => Found | undefined): Found[] | undefined {
  const found = entries.map(find);
  if (found.length === 0 || found.includes(undefined)) return undefined;
  return [...new Set(found as Found[])];
}

const plural = (word: string) => (word.endsWith('s') ? word.slice(0, -1) : word);
const dataNames: Record<string, RetainedData> = { log: 'logs', trace: 'traces', 'audit payload': 'audit payloads' };
export const dataOf = (text: string) => each(splitList(text), (entry) => dataNames[plural(entry)]);

/** Accepts 'emails', 'credit card numbers' and 'ip addresses' for the names of the types. */
export function parsePiiTypes(text: string): PiiType[] | undefined {
  if (['all personal data', 'personal data', 'all pii', 'pii'].includes(text)) return [...piiTypes];
  return each(splitList(text), (entry) => typesByName.get(entry) ?? typesByName.get(singular(entry)));
}
const typesByName = new Map<string, PiiType>(piiTypes.map((type) => [type.toLowerCase(), type]));
function singular(entry: string): string {
  const name = entry.replace(/ numbers?$/, '');
  if (name === 'dates of birth') return 'date of birth';
  return name.endsWith('addresses') ? name.slice(0, -2) : plural(name);
}

/** Rules of the form `Label: a, b`. The texts are in lower case. */
export const listRules: Record<string, (text: string) => PolicyRule | undefined> = {
  'allowed environment'(text) {
    const environments = each(splitList(text), (entry) => ruledEnvironments.find((one) => one === entry));
    return environments && { kind: 'environments', environments };
  },
  'allowed database mode'(text) {
    const named = (entry: string) => (entry === 'external' ? 'byo' : entry);
    const modes = each(splitList(text), (entry) => ruledDatabaseModes.find((one) => one === named(entry)));
    return modes && { kind: 'database_modes', modes };
  },
  redact(text) {
    const types = parsePiiTypes(text);
    return types && { kind: 'redact', types };
  },
  'allowed host': createHostsParser('only'),
  'blocked host': createHostsParser('never'),
  'deployments only by': deployers,
  'deployment only by': deployers,
};

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const hostName = new RegExp(`^(?:\\*\\.)?(?:${label}\\.){1,20}[a-z][a-z0-9-]{0,61}[a-z0-9]$`);
const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const address = new RegExp(`^${byte}(?:\\.${byte}){3}$`);

/** Names, `*.` and a name for all names below it, and IPv4 addresses; `none` allows nothing. */
function createHostsParser(which: 'only' | 'never') {
  return (text: string): PolicyRule | undefined => {
    if (which === 'only' && text === 'none') return { kind: 'hosts', which, hosts: [] };
    const hosts = each(splitList(text), (entry) => (hostName.test(entry) || address.test(entry) ? entry : undefined));
    return hosts && { kind: 'hosts', which, hosts };
  };
}

const mail = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

function deployers(text: string): PolicyRule | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const keys = entries.filter((entry) => entry.startsWith('key ')).map((entry) => entry.slice('key '.length).trim());
  const people = entries.filter((entry) => !entry.startsWith('key '));
  if (entries.length === 0 || keys.includes('') || !people.every((entry) => mail.test(entry))) return undefined;
  return { kind: 'deployers', people: [...new Set(people)], keys: [...new Set(keys)] };
}
