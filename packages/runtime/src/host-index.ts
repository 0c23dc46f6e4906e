import type { HostRule } from './hosts.ts';

/** Host rules indexed by host. A lookup takes as many steps as the name has labels, however many hosts the rules name. */
export interface HostIndex<Rule extends HostRule = HostRule> {
  allows(name: string): boolean;
  /** The first rule that forbids calling a name. The requested name counts, not the names that it resolves through (CNAME). */
  refusing(name: string): Rule | undefined;
}

/** Indexes of rules in their list, ascending. */
interface Entry {
  only: number[];
  never: number[];
}

export function hostIndex<Rule extends HostRule>(rules: readonly Rule[]): HostIndex<Rule> {
  const entries = new Map<string, Entry>();
  const only: number[] = [];
  for (const [place, { effect, hosts }] of rules.entries()) {
    if (effect === 'only') only.push(place);
    for (const host of withoutCovered(hosts)) {
      const entry = entries.get(host) ?? { only: [], never: [] };
      entry[effect].push(place);
      entries.set(host, entry);
    }
  }

  const matching = (name: string): Entry[] =>
    keysOf(name).flatMap((key) => {
      const entry = entries.get(key);
      return entry ? [entry] : [];
    });

  return {
    allows(name) {
      const found = matching(name);
      // Each rule is in at most one of the entries, so the sum counts matching rules.
      return found.every(({ never }) => never.length === 0) && found.reduce((sum, entry) => sum + entry.only.length, 0) === only.length;
    },
    refusing(name) {
      const found = matching(name);
      const allowing = new Set(found.flatMap((entry) => entry.only));
      const blocking = found.flatMap(({ never }) => never.slice(0, 1));
      const missing = only.find((place) => !allowing.has(place));
      const first = Math.min(...blocking, missing ?? rules.length);
      return rules[first];
    },
  };
}

/** Hosts of a rule without those that another of its hosts (`*.example.com`) covers. At most one of the remaining hosts matches a name. */
function withoutCovered(hosts: readonly string[]): Set<string> {
  const all = new Set(hosts);
  const isCovered = (host: string) => listWildcards(host.startsWith('*.') ? host.slice(2) : host).some((wildcard) => all.has(wildcard));
  return new Set(hosts.filter((host) => !isCovered(host)));
}

/** The hosts of rules that match a name. */
const keysOf = (name: string): string[] => [name, ...listWildcards(name)];

/** The wildcards `*.b.c` and `*.c` for `a.b.c`. */
function listWildcards(name: string): string[] {
  const found: string[] = [];
  for (let dot = name.indexOf('.', 1); dot > 0; dot = name.indexOf('.', dot + 1)) found.push(`*${name.slice(dot)}`);
  return found;
}
