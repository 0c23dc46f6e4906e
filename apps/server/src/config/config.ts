import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Provider, providers } from '@paddock/contract/providers';
import { type Network, parseNetwork } from '@paddock/network';
import * as z from 'zod';
import { readStripeSettings, stripeApiUrl, stripeProblems, stripeSecretKey, stripeWebhookSecret } from '../payments/settings.ts';
import { buildSettings, readBuildSettings } from './build-settings.ts';
import { readSellerSettings, sellerSettings } from './seller-settings.ts';
import { settingProblem, wrongConfiguration } from './setting-problem.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z
  .enum(['0', '1'])
  .default('0')
  .transform((value) => value === '1');
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );

/** A misread network would trust strangers or open the machine's own networks, so an invalid entry prevents the start. */
const networks = (isRight: (network: Network) => boolean, kind: string) =>
  list.superRefine((entries, context) => {
    for (const entry of entries) {
      const network = parseNetwork(entry);
      if (!network || !isRight(network)) context.addIssue(`'${entry}' is neither ${kind} nor a network such as 10.1.0.0/16`);
    }
  });

const credential = z.string().max(1000).optional();
const issuer = z
  .url()
  .refine(isIssuer, 'must begin with https:// (http:// only on this machine), without query')
  .transform(trimSlash)
  .optional();

const Environment = z.object({
  PADDOCK_PORT: port.default(4000),
  PADDOCK_GATEWAY_PORT: port.default(4001),
  PADDOCK_GATEWAY_PROCESSES: z.coerce.number().int().min(1).max(64).optional(),
  PADDOCK_HOST: z.string().min(1).default('127.0.0.1'),
  PADDOCK_DATA_DIR: z.string().min(1).default('.paddock'),
  PADDOCK_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  PADDOCK_BLOB_URL: z
    .string()
    .refine(isFolderUrl, 'must be a folder of this machine (file:///absolute/folder); archives can be kept nowhere else')
    .optional(),
  PADDOCK_NODE_TIMEOUT_S: z.coerce.number().int().min(1).max(86_400).default(60),
  PADDOCK_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PADDOCK_AGENT_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/, 'must be a host name in lower case')
    .default('localhost'),
  PADDOCK_AGENT_URL: z.url({ protocol: /^https?$/ }).optional(),
  PADDOCK_ROLE: z.enum(['all', 'api', 'worker', 'gateway']).default('all'),
  PADDOCK_UNSANDBOXED: flag,
  PADDOCK_EGRESS_ALLOW: networks(({ address }) => address.kind() === 'ipv4', 'an IPv4 address'),
  PADDOCK_TRUSTED_PROXIES: networks(() => true, 'an address'),
  PADDOCK_SECRET_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be 32 bytes in base64')
    .optional(),
  PADDOCK_SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.hostname, 'must be smtp://… or smtps://…')
    .optional(),
  PADDOCK_MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>@\p{Cc}]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u, 'must be an address, or a name and <an address>')
    .optional(),
  PADDOCK_METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/-]{16,512}={0,2}$/, 'must be at least 16 letters, digits and . _ ~ + / -')
    .optional(),
  PADDOCK_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  PADDOCK_LOG_RETENTION_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  PADDOCK_AUDIT_SPOOL_MB: z.coerce.number().int().min(1).max(1_048_576).default(1024),
  PADDOCK_AUDIT_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(90),
  PADDOCK_LOCKOUT_MINUTES: z.coerce.number().int().min(15).max(1440).default(15),
  PADDOCK_AUDIT_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  PADDOCK_OSV_DATABASE: z
    .string()
    .max(2048)
    .refine((text) => !/^[a-z]+:\/\//i.test(text) || /^https:\/\//i.test(text), 'must be a file, a folder or an https address')
    .optional(),
  PADDOCK_TRIAL_S: z.coerce.number().int().min(0).max(3600).default(60),
  PADDOCK_BUILDS_AT_ONCE: z.coerce.number().int().min(1).max(64).default(2),
  PADDOCK_AGENT_MEMORY_MB: z.coerce.number().int().min(32).default(512),
  PADDOCK_AGENT_CPUS: z.coerce.number().min(0.05).max(256).default(1),
  PADDOCK_AGENT_PROCESSES: z.coerce.number().int().min(8).default(256),
  PADDOCK_AGENT_DISK_MB: z.coerce.number().int().min(16).default(1024),
  PADDOCK_DATABASE_MEMORY_MB: z.coerce.number().int().min(64).default(256),
  PADDOCK_DATABASE_CPUS: z.coerce.number().min(0.05).max(256).default(1),
  PADDOCK_DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(10_000).default(50),
  PADDOCK_DATABASE_STORAGE_MB: z.coerce.number().int().min(16).optional(),
  PADDOCK_PLAN_LIMITS: z.enum(['show', 'enforce']).default('show'),
  ...sellerSettings,
  ...buildSettings,
  PADDOCK_AGENTS_ON_EXIT: z.enum(['keep', 'stop']).default('keep'),
  PADDOCK_STRIPE_SECRET_KEY: stripeSecretKey,
  PADDOCK_STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
  PADDOCK_STRIPE_API_URL: stripeApiUrl,
  PADDOCK_OAUTH_GOOGLE_CLIENT_ID: credential,
  PADDOCK_OAUTH_GOOGLE_CLIENT_SECRET: credential,
  PADDOCK_OAUTH_GOOGLE_ISSUER: issuer,
  PADDOCK_OAUTH_GITHUB_CLIENT_ID: credential,
  PADDOCK_OAUTH_GITHUB_CLIENT_SECRET: credential,
  PADDOCK_OAUTH_GITHUB_ISSUER: issuer,
  PADDOCK_OAUTH_MICROSOFT_CLIENT_ID: credential,
  PADDOCK_OAUTH_MICROSOFT_CLIENT_SECRET: credential,
  PADDOCK_OAUTH_MICROSOFT_ISSUER: issuer,
  PADDOCK_OAUTH_GITLAB_CLIENT_ID: credential,
  PADDOCK_OAUTH_GITLAB_CLIENT_SECRET: credential,
  PADDOCK_OAUTH_GITLAB_ISSUER: issuer,
  PADDOCK_OAUTH_SLACK_CLIENT_ID: credential,
  PADDOCK_OAUTH_SLACK_CLIENT_SECRET: credential,
  PADDOCK_OAUTH_SLACK_ISSUER: issuer,
});

export type Config = ReturnType<typeof readConfig>;

/** The only reader of the environment. Throws one error that names every invalid variable. */
export function readConfig(environment: NodeJS.ProcessEnv, argv: string[] = []) {
  const role = argv.includes('--role') ? argv[argv.indexOf('--role') + 1] : undefined;
  const parsed = z.safeParse(Environment, { ...withoutEmpty(environment), ...(role ? { PADDOCK_ROLE: role } : {}) });
  if (!parsed.success) throw wrongConfiguration(parsed.error.issues.map((issue) => settingProblem(issue, environment)));
  const env = parsed.data;
  const problems = [...halfConfigured(env).map((name) => `${name}: must be set too`), ...stripeProblems(env), ...portProblems(env)];
  if (problems.length) throw wrongConfiguration(problems);
  const publicUrl = trimSlash(env.PADDOCK_PUBLIC_URL ?? `http://${urlHost(env.PADDOCK_HOST)}:${env.PADDOCK_PORT}`);
  return Object.freeze({
    port: env.PADDOCK_PORT,
    gatewayPort: env.PADDOCK_GATEWAY_PORT,
    /** Number of gateway processes; by default the gateway derives it from the cores. */
    gatewayProcesses: env.PADDOCK_GATEWAY_PROCESSES,
    host: env.PADDOCK_HOST,
    dataDir: resolve(env.PADDOCK_DATA_DIR),
    /** Folder of uploaded archives; the same for all servers of one database. */
    blobDir: env.PADDOCK_BLOB_URL ? fileURLToPath(env.PADDOCK_BLOB_URL) : join(resolve(env.PADDOCK_DATA_DIR), 'blobs'),
    /** A node without a heartbeat for this long is dead, and others take over its deployments. */
    nodeTimeoutSeconds: env.PADDOCK_NODE_TIMEOUT_S,
    databaseUrl: env.PADDOCK_DATABASE_URL,
    publicUrl,
    agentDomain: env.PADDOCK_AGENT_DOMAIN,
    /** Scheme and port of agents' addresses; the host is `<label>.<agentDomain>`. */
    agentUrl: agentUrl(env.PADDOCK_AGENT_URL ?? `http://${env.PADDOCK_AGENT_DOMAIN}:${env.PADDOCK_GATEWAY_PORT}`),
    /** Whether this server calls agents at their public addresses, as visitors do, because it starts no gateway. */
    asksAtAgentUrl: env.PADDOCK_ROLE !== 'all' && env.PADDOCK_AGENT_URL !== undefined,
    role: env.PADDOCK_ROLE,
    /** Search path of programs; passed to the gateway's process. */
    path: environment.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    /** Folder of Node's compile cache; shared with the gateway's process. */
    compileCache: environment.NODE_COMPILE_CACHE || undefined,
    /** File with further certificate authorities for the database's certificate; passed to the gateway's process. */
    extraCertificates: environment.NODE_EXTRA_CA_CERTS || undefined,
    unsandboxed: env.PADDOCK_UNSANDBOXED,
    egressAllow: env.PADDOCK_EGRESS_ALLOW,
    trustedProxies: env.PADDOCK_TRUSTED_PROXIES,
    /** Without a mail server, mail goes to a folder of the data directory. */
    smtpUrl: env.PADDOCK_SMTP_URL,
    mailFrom: env.PADDOCK_MAIL_FROM ?? `Paddock <paddock@${mailHost(publicUrl)}>`,
    secretKey: env.PADDOCK_SECRET_KEY,
    /** The token that Prometheus sends; without it there is no metrics endpoint. */
    metricsToken: env.PADDOCK_METRICS_TOKEN,
    logLevel: env.PADDOCK_LOG_LEVEL,
    logRetentionDays: env.PADDOCK_LOG_RETENTION_DAYS,
    /** How long too many wrong passwords lock an account. */
    lockSeconds: env.PADDOCK_LOCKOUT_MINUTES * 60,
    /** Maximum size of a gateway's audit records that wait for the database. */
    auditSpoolMb: env.PADDOCK_AUDIT_SPOOL_MB,
    /** How long bodies, addresses and names are retained in the audit trail. */
    auditRetentionDays: env.PADDOCK_AUDIT_RETENTION_DAYS,
    /** The address to which signed checkpoints are posted. */
    auditWebhookUrl: env.PADDOCK_AUDIT_WEBHOOK_URL,
    /** Advisories in OSV format: a file, a folder or an https address. */
    osvDatabase: env.PADDOCK_OSV_DATABASE,
    /** A crash within this many seconds after an agent became active counts as a failed start. */
    trialSeconds: env.PADDOCK_TRIAL_S,
    buildsAtOnce: env.PADDOCK_BUILDS_AT_ONCE,
    agentsOnExit: env.PADDOCK_AGENTS_ON_EXIT,
    oauth: readOAuthSettings(env),
    /** Without it, payments go through the test provider. */
    stripe: readStripeSettings(env),
    agentLimits: {
      memory_mb: env.PADDOCK_AGENT_MEMORY_MB,
      cpus: env.PADDOCK_AGENT_CPUS,
      processes: env.PADDOCK_AGENT_PROCESSES,
      disk_mb: env.PADDOCK_AGENT_DISK_MB,
      open_files: 4096,
    },
    /** Limits of each managed database. */
    databaseLimits: {
      memory_mb: env.PADDOCK_DATABASE_MEMORY_MB,
      cpus: env.PADDOCK_DATABASE_CPUS,
      connections: env.PADDOCK_DATABASE_CONNECTIONS,
    },
    /** Maximum disk space of PostgreSQL databases. */
    databaseStorage: databaseStorage(env),
    /** Whether plan limits are enforced, or only shown. */
    plansBind: plansBind(env),
    billing: readSellerSettings(env),
    ...readBuildSettings(env),
  });
}

/** A server without a gateway of its own never listens at the gateway's port. 0 lets the system choose. */
const portProblems = ({ PADDOCK_ROLE: role, PADDOCK_PORT: port, PADDOCK_GATEWAY_PORT: gatewayPort }: Parsed): string[] =>
  role === 'all' && port !== 0 && port === gatewayPort
    ? [`PADDOCK_GATEWAY_PORT: must differ from PADDOCK_PORT, and both are ${port}: the console and the agents have a port each`]
    : [];

const plansBind = ({ PADDOCK_PLAN_LIMITS, PADDOCK_STRIPE_SECRET_KEY }: Parsed): boolean =>
  PADDOCK_PLAN_LIMITS === 'enforce' || PADDOCK_STRIPE_SECRET_KEY !== undefined;

/** The operator's setting limits each database; an enforced plan limit applies to all databases of a team together. Null: not limited. */
function databaseStorage(env: Parsed): { bytes: number | null; by_plan: boolean } {
  const mb = env.PADDOCK_DATABASE_STORAGE_MB;
  return mb === undefined ? { bytes: null, by_plan: plansBind(env) } : { bytes: mb * 1024 * 1024, by_plan: false };
}

/** An address of a host label: `('demo')` is http://demo.localhost:4001 by default. */
export type AgentUrl = (label: string) => string;

function agentUrl(base: string): AgentUrl {
  const url = new URL(base);
  return (label) => `${url.protocol}//${label}.${url.host}`;
}

/** This installation's registration at a provider. */
export interface ProviderSettings {
  client_id: string;
  client_secret: string;
  /** The address of a self-hosted provider. */
  issuer: string | undefined;
}
export type OAuthSettings = Partial<Record<Provider, ProviderSettings>>;
type Parsed = z.infer<typeof Environment>;

/** The names of the settings that configure a provider. */
export const oauthSettings = (provider: Provider) => {
  const start = `PADDOCK_OAUTH_${provider.toUpperCase() as Uppercase<Provider>}` as const;
  return { id: `${start}_CLIENT_ID`, secret: `${start}_CLIENT_SECRET`, issuer: `${start}_ISSUER` } as const;
};

const readOAuthSettings = (env: Parsed): OAuthSettings =>
  Object.fromEntries(
    providers.flatMap((provider) => {
      const name = oauthSettings(provider);
      const [client_id, client_secret] = [env[name.id], env[name.secret]];
      return client_id && client_secret ? [[provider, { client_id, client_secret, issuer: env[name.issuer] }]] : [];
    }),
  );

/** Problems of providers of which only the id or only the secret is set. */
const halfConfigured = (env: Parsed): string[] =>
  providers.map(oauthSettings).flatMap(({ id, secret }) => {
    if (Boolean(env[id]) === Boolean(env[secret])) return [];
    return env[id] ? [secret] : [id];
  });

// Codes and secrets are sent to the issuer: unencrypted only if they do not leave the machine.
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname));
}

function isFolderUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'file:' && url.host === '' && /^file:\/\/\/./.test(text) && !url.search && !url.hash;
}

// An empty variable counts as missing: shells and compose files easily create empty ones.
const withoutEmpty = (environment: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(environment).filter(([name, value]) => name.startsWith('PADDOCK_') && value !== ''));

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '127.0.0.1' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
function trimSlash(url: string) {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
// Mail cannot come from an IP address.
const mailHost = (url: string) => (/^[\d.]+$|:/.test(new URL(url).hostname) ? 'localhost' : new URL(url).hostname);
