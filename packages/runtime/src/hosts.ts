import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';

/**
 * The hosts that an instance may call: only these, or all except these. A host is a name, `*.` and a name for all names below it, or an
 * IPv4 address.
 */
export interface HostRule {
  effect: 'only' | 'never';
  hosts: string[];
}

/** An instance requested a host that its rules forbid. */
export interface RefusedHost {
  instance_id: string;
  deployment_id: string;
  host: string;
}

const digests = new WeakMap<readonly HostRule[], string>();

/** A digest to compare lists of rules. Computed once for each list; lists are never changed. */
export function hostRulesDigest(rules: readonly HostRule[]): string {
  const known = digests.get(rules);
  if (known !== undefined) return known;
  const text = JSON.stringify(rules.map(({ effect, hosts }) => [effect, hosts]));
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  digests.set(rules, digest);
  return digest;
}

/** The IPv4 addresses that rules name directly, as allowed or refused. */
export function ruledAddresses(rules: readonly HostRule[]): { open: string[]; closed: string[] } {
  const named = (effect: HostRule['effect']) =>
    rules.filter((rule) => rule.effect === effect).map(({ hosts }) => new Set(hosts.filter((host) => isIPv4(host))));
  const [first = new Set<string>(), ...others] = named('only');
  const closed = new Set(named('never').flatMap((addresses) => [...addresses]));
  const open = [...first].filter((address) => others.every((list) => list.has(address)) && !closed.has(address));
  return { open, closed: [...closed] };
}
