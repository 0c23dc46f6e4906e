/** Headers that the gateway sets, consumes or removes. */
interface OwnHeaders {
  names: ReadonlySet<string>;
  starts: readonly string[];
  /** Treat '_' as '-': servers that turn headers into variables cannot tell the two apart. */
  likeCgi: boolean;
}

const bothWays = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'upgrade'],
  ...['transfer-encoding', 'content-length', 'http2-settings', 'x-request-id'],
];

export const ofRequests: OwnHeaders = {
  names: new Set([
    ...bothWays,
    ...['host', 'expect', 'forwarded', 'x-real-ip', 'traceparent', 'tracestate', 'via', 'proxy', 'x-host', 'x-client-ip', 'x-http-method'],
  ]),
  starts: ['x-forwarded'],
  likeCgi: true,
};

export const ofAnswers: OwnHeaders = {
  names: new Set([...bothWays, 'x-trace-id', 'date']),
  starts: ['x-paddock-', 'paddock-'],
  likeCgi: false,
};

/** The raw headers (name, value, name, value …) that pass through the gateway unchanged. */
export function passedOn(headers: readonly string[], own: OwnHeaders, named: ReadonlySet<string> = new Set()): string[] {
  return headers.filter((_, at) => {
    const lower = headers[at % 2 === 0 ? at : at - 1]!.toLowerCase();
    const name = own.likeCgi ? lower.replaceAll('_', '-') : lower;
    return !own.names.has(name) && !own.starts.some((start) => name.startsWith(start)) && !named.has(lower);
  });
}

/** The names that a message's Connection headers declare as hop-by-hop. */
export function namedByConnection(headers: readonly string[]): Set<string> {
  const values = headers.filter((_, at) => at % 2 === 1 && headers[at - 1]!.toLowerCase() === 'connection');
  return new Set(values.flatMap((value) => value.toLowerCase().split(',')).map((name) => name.trim()));
}
