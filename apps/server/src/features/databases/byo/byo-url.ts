import { isIP } from 'node:net';
import { ApiError, type DatabaseType, type FieldError } from '@paddock/contract';

/** The parsed URL of an external database. */
export interface Target {
  type: DatabaseType;
  /** In lower case, without brackets and without a trailing dot. */
  host: string;
  port: number;
  user: string;
  password: string;
  /** The name of a PostgreSQL database, the number of a Redis database. */
  database: string;
  /** `require` takes any certificate, `verify` only one that is valid for the host. */
  tls: 'none' | 'prefer' | 'require' | 'verify';
}

const examples = {
  postgresql: 'Give a URL such as postgres://user:password@host:5432/database',
  redis: 'Give a URL such as redis://user:password@host:6379',
} as const;

const schemes = { postgresql: ['postgres:', 'postgresql:'], redis: ['redis:', 'rediss:'] } as const;
const defaultPorts = { postgresql: 5432, redis: 6379 } as const;

/**
 * Allowed URL parameters: those that name neither a file nor another server. The effect of any other on the client's own machine is
 * unknown.
 */
const parameters: Record<DatabaseType, readonly string[]> = {
  postgresql: [
    'application_name',
    'client_encoding',
    'connect_timeout',
    'fallback_application_name',
    'options',
    'target_session_attrs',
    'keepalives',
    'keepalives_idle',
    'keepalives_interval',
    'keepalives_count',
    'tcp_user_timeout',
    'sslmode',
    'sslnegotiation',
    'ssl_min_protocol_version',
    'channel_binding',
    'gssencmode',
    'uselibpqcompat',
    'connection_limit',
    'max_conn_lifetime',
    'pgbouncer',
    'pool_timeout',
    'prepareThreshold',
    'schema',
    'statement_cache_size',
  ],
  redis: ['client_name', 'connectTimeout', 'db', 'protocol', 'socket_connect_timeout', 'socket_timeout', 'ssl_cert_reqs'],
};

const tlsOf = {
  disable: 'none',
  allow: 'prefer',
  prefer: 'prefer',
  require: 'require',
  'no-verify': 'require',
  'verify-ca': 'verify',
  'verify-full': 'verify',
} as const satisfies Record<string, Target['tls']>;

/** Throws input_invalid for `path` unless every client parses the URL in the same way. */
export function parseTarget(type: DatabaseType, url: string, path: string): Target {
  const found = readTarget(type, url);
  if (typeof found !== 'string') return found;
  throw new ApiError('input_invalid', { errors: [{ path, message: found }], detail: found });
}

export interface DatabaseUrls {
  redis_url?: string | undefined;
  postgres_url?: string | undefined;
}

/** Validates the form of addresses given with a deployment; empty ones mean none. Throws input_invalid with all errors. */
export function checkedUrls({ redis_url, postgres_url }: DatabaseUrls): DatabaseUrls {
  const errors: FieldError[] = [];
  for (const [path, type, url] of [['redis_url', 'redis', redis_url] as const, ['postgres_url', 'postgresql', postgres_url] as const]) {
    const found = url ? readTarget(type, url) : undefined;
    if (typeof found === 'string') errors.push({ path, message: found });
  }
  if (errors.length) throw new ApiError('input_invalid', { errors, detail: errors.map((error) => error.message).join('; ') });
  return { redis_url: redis_url || undefined, postgres_url: postgres_url || undefined };
}

/** SQLAlchemy URLs name the agent's driver in the scheme, which does not change the address. */
const withDriver = /^(postgres(?:ql)?)\+[a-z0-9_]{2,20}:/i;

/** The target, or a sentence what is wrong. */
function readTarget(type: DatabaseType, given: string): Target | string {
  const text = type === 'postgresql' ? given.replace(withDriver, '$1:') : given;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: line ends in a URL would reach servers as commands
  if (/[\u0000-\u0020\u007f\\#]/.test(text)) return `${examples[type]}, without spaces, line ends, \\ or # (in a password %20, %5C, %23)`;
  const url = URL.parse(text);
  const authority = /^[a-z]+:\/\/([^/?]*)/i.exec(text)?.[1];
  if (authority?.includes(',')) return 'Give one server alone, without commas';
  if (!url || authority === undefined || !(schemes[type] as readonly string[]).includes(url.protocol)) return examples[type];
  if (authority.split('@').length > 2) return 'Write @ in a user name or password as %40';
  const host = url.hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  if (!host || host.length > 253 || !(isIP(host) || /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(host)))
    return `${examples[type]}; its host is a name of letters, digits, dots and hyphens, or an IPv4 address`;
  if (url.port === '0') return 'Port 0 cannot be connected to';
  const parts = decoded([url.username, url.password, url.pathname.slice(1)]);
  if (!parts) return 'The user, the password or the name of the database is not percent-encoded as it should be';
  const [user = '', password = '', name = ''] = parts;
  const port = url.port ? Number(url.port) : defaultPorts[type];
  return findParameterProblem(type, url) ?? withDatabase({ type, host, port, user, password, database: name, tls: tlsFor(type, url) }, url);
}

function findParameterProblem(type: DatabaseType, { searchParams }: URL): string | undefined {
  const names = [...searchParams.keys()];
  const unknown = names.find((name) => !parameters[type].includes(name));
  if (unknown !== undefined) return `The parameter "${unknown.slice(0, 40)}" is not accepted. Accepted are: ${parameters[type].join(', ')}`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `Give the parameter "${twice}" once`;
  if ([...searchParams.values()].some(hasControl)) return 'A parameter contains a line end or another control character';
  const mode = searchParams.get('sslmode');
  return mode === null || mode in tlsOf ? undefined : `sslmode is one of ${Object.keys(tlsOf).join(', ')}`;
}

function withDatabase(target: Target, { searchParams }: URL): Target | string {
  if (target.type === 'postgresql') return { ...target, database: target.database || target.user || 'postgres' };
  const database = searchParams.get('db') ?? (target.database || '0');
  return /^\d{1,4}$/.test(database) ? { ...target, database } : 'The database of Redis is a number, as in redis://host:6379/0';
}

function tlsFor(type: DatabaseType, { protocol, searchParams }: URL): Target['tls'] {
  if (type === 'postgresql') return tlsOf[(searchParams.get('sslmode') ?? 'prefer') as keyof typeof tlsOf] ?? 'prefer';
  if (protocol === 'redis:') return 'none';
  return searchParams.get('ssl_cert_reqs') === 'none' ? 'require' : 'verify';
}

function decoded(parts: string[]): string[] | undefined {
  try {
    const texts = parts.map(decodeURIComponent);
    return texts.some(hasControl) ? undefined : texts;
  } catch {
    return undefined; // a % that does not start an escaped byte
  }
}

const hasControl = (text: string) => /\p{Cc}/u.test(text);
