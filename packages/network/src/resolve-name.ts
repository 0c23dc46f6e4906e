import { Resolver } from 'node:dns/promises';

/** All addresses of a name, IPv4 and IPv6; empty if the name does not exist. Throws if the name servers do not respond. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

/** Timeout of `resolveName` for the name servers. */
export const RESOLVE_MS = 3000;

/** Uses only the name servers, because names in this machine's own files are not for strangers. */
export const resolveName: Resolve = async (name, signal) => {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [v4, v6].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const isAbsent = v4.status === 'fulfilled' || /^(ENOTFOUND|ENODATA)$/.test((v4.reason as NodeJS.ErrnoException).code ?? '');
    if (found.length === 0 && !isAbsent) throw v4.reason;
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};
