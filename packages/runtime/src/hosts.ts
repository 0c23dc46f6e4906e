import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** What an instance may call: only these hosts, or all but these. A host is a name, `*.` and a name for all names below it, or an IPv4 address. */
export interface HostRule {
  effect: 'only' | 'never';
  hosts: string[];
}

/** An instance asked for a host that its rules do not let it call. */
export interface RefusedHost {
  instance_id: string;
  deployment_id: string;
  host: string;
}

/** Tells whether rules differ. */
export const hostRulesDigest = (rules: readonly HostRule[]): string =>
  createHash('sha256')
    .update(JSON.stringify(rules.map(({ effect, hosts }) => [effect, hosts])))
    .digest('hex')
    .slice(0, 16);

/** The first rule that does not let a name be called. The name that was asked for counts, not those that it stands for (CNAME). */
export const refusingRule = <Rule extends HostRule>(rules: readonly Rule[], name: string): Rule | undefined =>
  rules.find(({ effect, hosts }) => hosts.some((host) => matches(host, name)) === (effect === 'never'));

function matches(host: string, name: string): boolean {
  return host.startsWith('*.') ? name.length > host.length - 1 && name.endsWith(host.slice(1)) : name === host;
}

/** The IPv4 addresses that rules let through, or refuse, by themselves. */
export function ruledAddresses(rules: readonly HostRule[]): { open: string[]; closed: string[] } {
  const named = (effect: HostRule['effect']) =>
    rules.filter((rule) => rule.effect === effect).map(({ hosts }) => hosts.filter((host) => isIPv4(host)));
  const [first = [], ...others] = named('only');
  const closed = named('never').flat();
  return { open: first.filter((address) => others.every((list) => list.includes(address)) && !closed.includes(address)), closed };
}
