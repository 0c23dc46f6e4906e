import { ApiError, type FieldError, type TryMethod } from '@paddock/contract';

interface Wish {
  method: TryMethod;
  path: string;
  headers: { name: string; value: string }[];
  body: string;
}

/** Hop-by-hop headers and body framing, which users may not set. */
const framing = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'content-length', 'upgrade', 'http2-settings', 'expect'],
]);
/** A gateway that trusts this machine as a proxy would accept these headers. */
const forwarding = /^(?:forwarded|via|x-real-ip|x-request-id|x-forwarded-.*)$/;

interface Visit {
  /** The requested address. */
  url: string;
  ip: string;
  /** Host header to send instead of the address's own. */
  host_header?: string | undefined;
}

/**
 * The headers of the request to the agent, as a list of names and values: the user's, and those that the request requires. Throws
 * input_invalid for headers that Paddock or the gateway sets.
 */
export function headersFor({ method, headers, body }: Wish, { url, ip, host_header }: Visit): string[] {
  const refused = headers.flatMap(({ name }, index): FieldError[] => {
    const plain = name.toLowerCase().replaceAll('_', '-');
    if (!framing.has(plain) && !forwarding.test(plain)) return [];
    return [{ path: `headers.${index}.name`, message: `${name} is set by Paddock, leave it out` }];
  });
  if (refused.length > 0) throw refusal(refused);
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  const { host, protocol } = new URL(url);
  // The gateway accepts the last two from a proxy that it trusts; otherwise it replaces them.
  const lines = ['host', host_header ?? host, 'x-forwarded-for', ip, 'x-forwarded-proto', protocol.slice(0, -1)];
  for (const [name, value] of Object.entries(usual)) if (!given.has(name)) lines.push(name, value);
  for (const { name, value } of headers) lines.push(name, value.trim());
  if (body !== '' || mayHaveBody.has(method)) lines.push('content-length', String(Buffer.byteLength(body)));
  return lines;
}

const mayHaveBody = new Set<TryMethod>(['POST', 'PUT', 'PATCH']);
/** A compressed response could not be shown while it arrives. */
const usual = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'paddock-try' };

/** A session token or an API key, as `tokens.ts` and `key-form.ts` make them. */
const credential = /pds_[\w-]{43}|pk_(?:live|test)_[0-9A-Za-z]{42}|paddock_device=/;

/** Throws input_invalid when the request contains a credential of Paddock itself. */
export function refuseCredentials({ path, headers }: Wish): void {
  const message = 'This would give the agent a credential of Paddock itself. Use one that the agent is to know.';
  const found = headers.flatMap(({ value }, index) => (credential.test(value) ? [{ path: `headers.${index}.value`, message }] : []));
  if (credential.test(path)) found.push({ path: 'path', message });
  if (found.length > 0) throw refusal(found);
}

const refusal = (errors: FieldError[]) =>
  new ApiError('input_invalid', { errors, detail: errors.map(({ message }) => message).join('; ') });
