import { isIP, isIPv6 } from 'node:net';
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

/** The destination of a message: a URL, and the one address that was checked and is connected to. */
export interface Target {
  url: URL;
  address: string;
}
export type FindTarget = (url: URL, signal: AbortSignal) => Promise<Target>;

/** The destination is forbidden. The message is a sentence for the person. */
export class TargetRefused extends Error {}
/** The name does not resolve right now. */
export class TargetUnknown extends Error {}

export interface GuardParts {
  /** PADDOCK_EGRESS_ALLOW. */
  egressAllow: string[];
  /** The addresses of the platform's own services. */
  services: () => Promise<OwnService[]>;
  resolve?: Resolve | undefined;
  /** Addresses of this machine except its loopback. */
  own?: (() => string[]) | undefined;
}

const maxAddresses = 64;
const example = 'Give an address such as https://example.com/hooks/paddock';

/** A URL to which messages can be sent, or the problem with the text. Nothing is resolved. */
export function readUrl(text: string): URL | string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: programs disagree about what such characters in a URL mean
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return `${example}, without spaces, line ends or \\`;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || !/^https?:\/\/[^/]/i.test(text))
    return `${example}, which begins with https:// or http://`;
  if (url.username || url.password || text.split(/[/?#]/)[2]?.includes('@')) return 'Give the address without a user and a password';
  if (url.hash || text.endsWith('#')) return 'Give the address without what follows a #';
  const host = hostOf(url);
  if (!isIP(host) && !/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(host)) return `${example}; its host is a name or an IP address`;
  if (host.length > 253) return 'The name of the host is too long';
  const port = resolvePort(url);
  return port === 80 || port === 443 || port >= 1024 ? url : 'The port is 80, 443, or 1024 and above';
}

/**
 * Resolves the host and checks every address that it has. Throws TargetRefused before anything is sent, and TargetUnknown for a name without an
 * address. The connection must use the returned address, so that a later change of the name has no effect.
 */
export function targetGuard({ egressAllow, services, resolve = resolveName, own = ownAddresses }: GuardParts): FindTarget {
  const opened = networkList(egressAllow);
  const isOurs = ownServiceCheck({ services, own });

  async function resolveAddresses(host: string, signal: AbortSignal): Promise<string[]> {
    if (isIP(host)) return [host];
    if (/(^|\.)localhost$/.test(host)) return ['127.0.0.1'];
    const found = await resolve(host, AbortSignal.any([signal, AbortSignal.timeout(RESOLVE_MS)])).catch(() => {
      throw new TargetUnknown(`The name ${host} could not be resolved: the name servers do not answer.`);
    });
    if (found.length > maxAddresses)
      throw new TargetUnknown(`The name ${host} has more than ${maxAddresses} addresses, which is not tried.`);
    return found;
  }

  return async function findTarget(url, signal) {
    const host = hostOf(url);
    const found = await resolveAddresses(host, signal);
    for (const address of found) {
      const isOwn = own().includes(address) && !opened.has(address);
      const kind = isOwn ? 'own' : closedKind(address, opened);
      if (!kind) continue;
      const where = address === host ? 'It' : `It is at ${address}, which`;
      throw new TargetRefused(`The address ${host} is refused. ${where} is ${phrases[kind] ?? `a ${kind} address`}. ${opens}`);
    }
    const address = found.find((one) => !isIPv6(one)) ?? found[0];
    if (address === undefined) throw new TargetUnknown(`There is no host with the name ${host}.`);
    if (await isOurs(address, resolvePort(url)))
      throw new TargetRefused(`The address ${host} is refused. A service of this installation answers there.`);
    return { url, address };
  };
}

const opens = 'Paddock sends nothing there; the operator of this installation opens private networks with PADDOCK_EGRESS_ALLOW.';
const phrases: Record<string, string> = { own: "this server's own address", unspecified: 'the address of no machine' };

/** In lower case, without brackets and without a trailing dot. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const resolvePort = ({ port, protocol }: URL): number => {
  if (port) return Number(port);
  return protocol === 'https:' ? 443 : 80;
};
