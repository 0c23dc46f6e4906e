import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { dayMs } from '@paddock/contract/time';
import type { Control, ControlFinding } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed, unverified } from '../finding.ts';

const minValidDays = 14;
const handshakeMs = 10_000;
const setting = (name: string) => ({
  text: `Put a proxy with a certificate before Paddock, and set ${name} to its https address.`,
});

interface Address {
  id: string;
  name: string;
  url: URL;
  setting: string;
}

type Deps = Pick<ControlDeps, 'publicUrl' | 'agentUrl' | 'host' | 'now'> & {
  /** Certificate authorities in addition to those that Node trusts, in PEM. */
  authorities?: string | undefined;
};

/** NET-01: Paddock and its agents are reachable from elsewhere only over TLS, with a certificate that stays valid for two weeks. */
export function tlsControl({ publicUrl, agentUrl, host, now, authorities }: Deps): Control {
  return {
    id: 'NET-01',
    of: 'team',
    async check() {
      const addresses: Address[] = [
        { id: 'console', name: 'Console and API', url: new URL(publicUrl), setting: 'PADDOCK_PUBLIC_URL' },
        { id: 'agents', name: 'Agents', url: new URL(agentUrl('paddock-check')), setting: 'PADDOCK_AGENT_URL' },
      ];
      return {
        looked_at: `${addresses.map(({ url }) => url.origin).join(' and ')}, and the address ${host} at which Paddock listens`,
        resources: await Promise.all(addresses.map((one) => judge(one, { host, now, authorities }))),
      };
    },
  };
}

async function judge(
  { id, name, url, setting: of }: Address,
  { host, now, authorities }: Pick<Deps, 'host' | 'now' | 'authorities'>,
): Promise<ControlFinding> {
  const subject = { type: 'address', id, name: `${name} (${url.origin})` };
  if (url.protocol === 'http:') {
    if (isLoopback(url.hostname) && isLoopback(host))
      return passed(subject, `${url.origin} is plain http and of this machine's loopback alone: nothing of it is public.`, {
        url: url.origin,
        host,
      });
    const open = isLoopback(url.hostname) ? `listens at ${host}, which others reach,` : `is told to people as ${url.origin}`;
    return failed(subject, `${name} ${open} without TLS.`, { evidence: { url: url.origin, host }, fix: setting(of) });
  }
  const seen = await handshake(url, authorities);
  if (typeof seen === 'string')
    return unverified(subject, `${url.origin} could not be reached from this server: ${seen}.`, { fix: setting(of) });
  const { error, protocol, certificate } = seen;
  const days = Math.floor((Date.parse(certificate.valid_to) - now()) / dayMs);
  const evidence = {
    url: url.origin,
    protocol,
    valid_to: certificate.valid_to,
    issuer: certificate.issuer?.O ?? certificate.issuer?.CN ?? null,
    error,
  };
  const renew = { text: 'Renew the certificate of the proxy before Paddock.' };
  if (error) return failed(subject, `The certificate of ${url.origin} is not valid: ${error}.`, { evidence, fix: renew });
  if (!(days > minValidDays))
    return failed(subject, `The certificate of ${url.origin} ends in ${days} days, on ${certificate.valid_to}.`, { evidence, fix: renew });
  return passed(subject, `${url.origin} speaks ${protocol} with a certificate that is valid for ${days} more days.`, evidence);
}

const isLoopback = (host: string) =>
  host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || ['[::1]', '::1'].includes(host);

interface Handshake {
  error: string | null;
  protocol: string | null;
  certificate: PeerCertificate;
}

/** The handshake, or a sentence about the failure when nothing responds. */
function handshake(url: URL, authorities: string | undefined): Promise<Handshake | string> {
  const { promise, resolve } = Promise.withResolvers<Handshake | string>();
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const socket = connect({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) ? {} : { servername: host }),
    ...(authorities === undefined ? {} : { ca: authorities }),
    // A certificate error is the finding, so it must not end the handshake. Nothing is sent.
    rejectUnauthorized: false,
    timeout: handshakeMs,
  });
  socket.on('secureConnect', () => {
    const error = socket.authorized ? null : String(socket.authorizationError);
    resolve({ error, protocol: socket.getProtocol(), certificate: socket.getPeerCertificate() });
  });
  socket.on('timeout', () => resolve(`no answer within ${handshakeMs / 1000} s`));
  socket.on('error', (error) => resolve(error.message));
  return promise.finally(() => socket.destroy());
}
