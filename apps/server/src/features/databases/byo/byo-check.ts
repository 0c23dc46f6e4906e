import { isIPv4, isIPv6 } from 'node:net';
import { ApiError, type DatabaseType } from '@paddock/contract';
import {
  closedKind,
  networkList,
  type OwnService,
  ownAddresses,
  ownServiceCheck,
  RESOLVE_MS,
  type Resolve,
  resolveName,
} from '@paddock/network';
import { isDisguised } from './byo-address.ts';
import { type Connect, dial } from './byo-dial.ts';
import { parseTarget, type Target } from './byo-url.ts';
import type { SignInResult } from './wire.ts';

export interface CheckParts {
  /** PADDOCK_EGRESS_ALLOW. */
  egressAllow: string[];
  /** Addresses of the platform's own services. */
  services: () => Promise<OwnService[]>;
  resolve?: Resolve;
  /** Resolves names of the platform's own services, also by this machine's hosts file. */
  resolveOwn?: (name: string) => Promise<string[]>;
  connect?: Connect;
  /** Addresses of this machine besides its loopback. */
  own?: () => string[];
}

/** The check result of an external database. `message` is a sentence for the user. */
export interface CheckedByo {
  type: DatabaseType;
  url: string;
  host: string;
  port: number;
  reachable: boolean;
  message: string;
}
/** `path`: the field that errors name; default `url`. */
export type CheckByo = (given: { type: DatabaseType; url: string; path?: string }, signal: AbortSignal) => Promise<CheckedByo>;

const dialMs = 5000;
const maxAddresses = 64;

/**
 * Checks the address of an external database. Throws input_invalid for a malformed address, and database_address_refused, before anything
 * is sent, for one that agents may not reach. An unreachable database is no error: its message tells what happened. The name is resolved
 * once, and the checked address is the one connected to.
 */
export function byoCheck({ egressAllow, services, resolve = resolveName, resolveOwn, connect, own = ownAddresses }: CheckParts): CheckByo {
  const opened = networkList(egressAllow);
  const isOurs = ownServiceCheck({ services, own, resolveOwn });

  return async function checkByo({ type, url, path = 'url' }, signal) {
    const target = parseTarget(type, url, path);
    const { host, port } = target;
    const tell = (reachable: boolean, message: string): CheckedByo => ({ type, url, host, port, reachable, message });
    const refuse = (why: string) => refused(path, host, why);

    if (isDisguised(host)) throw refuse('Write an IPv4 address as four decimal numbers, such as 203.0.113.7.');
    if (isIPv6(host)) throw refuse('Agents have no IPv6. Give a name, or an IPv4 address.');
    const found = await resolveAddresses(host, signal);
    if (typeof found === 'string') return tell(false, found);
    for (const address of found) {
      // Sandboxes refuse the addresses of their own machine, even those that the operator opens.
      const kind = own().includes(address) ? 'own' : closedKind(address, opened);
      if (kind)
        throw refuse(`${address === host ? 'It' : `It is at ${address}, which`} is ${phrases[kind] ?? `a ${kind} address`}. ${opens}`);
    }
    const address = found.find((one) => isIPv4(one));
    if (!address) throw refuse('It has IPv6 addresses alone, and agents have no IPv6.');
    if (await isOurs(address, port)) throw refuse("A service of this installation answers there, which is not for agents' own databases.");
    const outcome = await dial(target, { address, open: connect }, AbortSignal.any([signal, AbortSignal.timeout(dialMs)]));
    return tell(outcome.is === 'reachable', sentence(outcome, target));
  };

  /** The addresses, or a sentence why there are none. */
  async function resolveAddresses(host: string, signal: AbortSignal): Promise<string[] | string> {
    if (isIPv4(host)) return [host];
    if (/(^|\.)localhost$/.test(host)) return ['127.0.0.1'];
    try {
      const found = await resolve(host, AbortSignal.any([signal, AbortSignal.timeout(RESOLVE_MS)]));
      if (found.length > maxAddresses) return `The name ${host} has more than ${maxAddresses} addresses, which is not tried.`;
      return found.length ? found : `There is no host with the name ${host}. Agents cannot reach it until there is one.`;
    } catch {
      return `The name ${host} could not be resolved: the name servers do not answer. Agents may not reach it either.`;
    }
  }
}

const opens = 'Agents may not reach it; the operator of this installation opens private networks with PADDOCK_EGRESS_ALLOW.';

const phrases: Record<string, string> = { own: "this server's own address", unspecified: 'the address of no machine' };

function refused(path: string, host: string, why: string) {
  const detail = `The address ${host} is refused. ${why}`;
  return new ApiError('database_address_refused', { detail, errors: [{ path, message: detail }] });
}

const names = { postgresql: 'PostgreSQL', redis: 'Redis' } as const;

function sentence(outcome: SignInResult, { type, host, port, user, database, tls }: Target): string {
  const at = `${host}:${port}`;
  switch (outcome.is) {
    case 'reachable':
      return `${names[type]}${outcome.version ? ` ${outcome.version}` : ''} answers at ${at} and lets the user in.`;
    case 'silent':
      return `${at} does not answer. Look whether the address is right, the server runs, and its firewall lets this machine in.`;
    case 'refused_password':
      return `${names[type]} answers at ${at}, but does not accept ${user ? `the password of the user ${user}` : 'the password'}.`;
    case 'no_database':
      return `${names[type]} answers at ${at}, but has no database "${database}".`;
    case 'no_tls':
      return `PostgreSQL answers at ${at}, but offers no TLS, which sslmode asks for.`;
    case 'bad_certificate':
      return `${at} answers, but TLS fails: ${certificates[outcome.code] ?? (tls === 'verify' ? 'no valid certificate was shown' : 'the two sides do not agree on it')}.`;
    case 'other_protocol':
      return `Something answers at ${at}, but it does not speak the protocol of ${names[type]}.`;
    case 'turned_away':
      return `${names[type]} answers at ${at}, but turns connections away (${outcome.code}).`;
  }
}

const certificates: Record<string, string> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself alone',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody whom Node.js trusts vouches for its certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody whom Node.js trusts vouches for its certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'nobody whom Node.js trusts vouches for its certificate',
};
