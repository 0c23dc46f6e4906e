import { nativeReason } from './native.ts';
import { type FailureOutput, find, type Reason } from './reason.ts';
import { packageOfScript } from './script-packages.ts';

interface Kind {
  pattern: RegExp;
  say: (host: string) => string;
  hint: string;
  transient: boolean;
}

const later = 'Try again later. If it stays so, ask the operator to look at the machine’s network and its settings for registries.';
const login = 'Check that it may be fetched from here; logins for registries are set up by the operator, on the machine.';

/** Likeliest cause first: a proxy that refuses also breaks connections. */
const kinds: Kind[] = [
  {
    pattern:
      /ProxyConnectFailed|tunneling socket could not be established|tunnel error|Tunnel connection failed|Cannot connect to proxy|407 Proxy Authentication|E407/,
    say: (host) => `The proxy of this machine let no connection through to ${host}.`,
    hint: 'Ask the operator to allow that host in the proxy, or to correct the proxy’s address and login.',
    transient: false,
  },
  {
    pattern:
      /self-signed certificate|SELF_SIGNED_CERT|CERTIFICATE_VERIFY_FAILED|certificate verify failed|invalid peer certificate|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_HAS_EXPIRED|certificate has expired|unable to get local issuer/i,
    say: (host) => `The certificate of ${host} is not one that this machine trusts.`,
    hint: 'Ask the operator to name the authority that signed it (SSL_CERT_FILE for uv and pip, NODE_EXTRA_CA_CERTS for npm).',
    transient: false,
  },
  {
    pattern:
      /ENOTFOUND|EAI_AGAIN|dns error|failed to lookup address|Name or service not known|Temporary failure in name resolution|Could not resolve host|DNSResolveFailed/,
    say: (host) => `It needs ${host}, which this machine doesn’t reach: the name is not known to it.`,
    hint: 'Check the name, do without it, or ask the operator.',
    transient: true,
  },
  {
    pattern: /ECONNREFUSED|Connection ?refused/i,
    say: (host) => `Nothing answers at ${host}: the connection was refused.`,
    hint: later,
    transient: true,
  },
  {
    pattern: /ETIMEDOUT|ESOCKETTIMEDOUT|ERR_SOCKET_TIMEOUT|[Rr]ead timed out|[Cc]onnection timed out|operation timed out|network timeout/,
    say: (host) => `There was no answer from ${host} in time.`,
    hint: later,
    transient: true,
  },
  {
    pattern:
      /\b(?:429|500|502|503|504) (?:Too Many|Internal|Bad Gateway|Service|Gateway)|status code:? 5\d\d|FETCH_(?:429|5\d\d)|Response Code: (?:429|5\d\d)|ResponseError/,
    say: (host) => `An error was the answer of ${host}, which has a fault of its own or too much to do.`,
    hint: later,
    transient: true,
  },
  {
    pattern:
      /ECONNRESET|EPIPE|socket hang up|ERR_SOCKET_CLOSED|Connection (?:reset|aborted)|ENETUNREACH|EHOSTUNREACH|connection broken by|error sending request|network (?:error|connectivity)|issue establishing a connection|from Google Fonts/i,
    say: (host) => `The connection to ${host} could not be made or broke off.`,
    hint: later,
    transient: true,
  },
  {
    pattern: /E401|FETCH_401|\b401 \(?Unauthorized|YN0041|Incorrect or missing password/,
    say: (host) => `A login is wanted by ${host}.`,
    hint: login,
    transient: false,
  },
  {
    pattern: /E403|FETCH_403|\b403 \(?Forbidden|^error Error: https?:\/\//,
    say: (host) => `Access was refused by ${host}.`,
    hint: login,
    transient: false,
  },
];

/**
 * The failure on the way to a registry or another host. It is checked before the conclusions that a client draws from a missing response.
 */
export function networkReason(output: FailureOutput): Reason | undefined {
  const lines = telling(output);
  for (const { pattern, say, hint, transient } of kinds) {
    const line = lines.find((each) => pattern.test(each));
    if (line === undefined) continue;
    const script = packageOfScript(output);
    // An install script downloads a program from elsewhere. Newer versions mostly include the program.
    if (script !== undefined) {
      // A compiler that is missing decides: the package would have been built without the download.
      const compiled = output.text.includes('gyp ERR!') ? nativeReason(output) : undefined;
      if (compiled !== undefined) return compiled;
      return {
        reason: `The install script of ${script} could not fetch what it needs. ${say(hostIn(output, line))}`,
        hint: `A newer version of ${script} may bring it along; else ask the operator.`,
        transient,
        unfetchedBy: script,
      };
    }
    const host = hostIn(output, line);
    return { reason: say(host), hint: hint === later && isPrivate.test(host) ? ofOther(host) : hint, transient };
  }
  return undefined;
}

/** All of the patterns, for programs that judge an output by themselves. */
export const unreachedPattern = kinds.map(({ pattern }) => pattern.source).join('|');

const isPrivate = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/;
const ofOther = (host: string) =>
  `${host} is an address of a private network. If the lock file or the list of dependencies names it, make that again with a registry that this machine reaches; else ask the operator.`;

/**
 * Warnings about retries do not show the final cause. Only pip and pnpm report the cause nowhere else: pip continues without the response
 * and finds no version, pnpm ends with “fetch failed”.
 */
function telling({ lines, text }: FailureOutput): string[] {
  if (/No matching distribution|Could not install packages due to an OSError|^TypeError: fetch failed/m.test(text)) return lines;
  return lines.map(withStatus).filter((line) => !/Will retry|Retrying|^npm warn|^\S{0,3}WARN/.test(line));
}

/** bun's `error: GET … - 403`, with the status as pnpm writes it. */
function withStatus(line: string): string {
  const status = line.startsWith('error: GET ') ? / - (\d{3})$/.exec(line)?.[1] : undefined;
  return status === undefined ? line : `${line} FETCH_${status}`;
}

/** The host in that line, otherwise the first host in a line about a download. */
function hostIn(output: FailureOutput, line: string): string {
  const own = find({ lines: [line], text: line }, named) ?? find({ lines: [line], text: line }, address);
  const host = own ?? find(output, inFetching) ?? find(output, looked) ?? find(output, named) ?? 'the registry of packages';
  return host.replace(/:$/, '');
}

const named =
  /(?:getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|Could not resolve host(?:name)?:?|ECONNREFUSED|HTTPS?ConnectionPool\(host=') ?([\w.:-]{1,200})/;
const address = /https?:\/\/(?:[^\s/@]{1,200}@)?([\w.:-]{1,200})/;
const inFetching =
  /(?:Failed to fetch|Request URL|while requesting|request to|GET|unable to access)\W{1,3}https?:\/\/(?:[^\s/@]{1,200}@)?([\w.:-]{1,200})/;
const looked = /^Looking in indexes: https?:\/\/(?:[^\s/@]{1,200}@)?([\w.:-]{1,200})/;
