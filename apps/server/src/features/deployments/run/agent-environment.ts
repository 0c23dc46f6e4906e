import type { AskedVariable } from '@paddock/builder';
import type { DatabaseUrls } from '../databases.ts';
import { databaseUrl, databaseVariables } from './database-variables.ts';

/** Target of an agent's traces: a port on its own loopback, and the header that identifies the agent. */
export interface Telemetry {
  port: number;
  header: string;
}

/**
 * An agent's environment, in ascending precedence: parts of its databases' addresses under the names that the archive reads, the plan's
 * settings, the manifest's, the project's variables, and the platform's, which cannot be overridden. `clashes` are variables of the project that
 * the platform sets; `hidden` are parts of a database's address that the project's own variables replace.
 */
export function agentEnvironment(parts: {
  plan: Record<string, string>;
  variables: { key: string; value: string }[];
  databases: DatabaseUrls;
  /** Variables that the archive reads or names. */
  asked?: readonly AskedVariable[] | undefined;
  deployment: { id: string; project_name: string; environment: string; url: string };
  memory_mb: number;
  telemetry?: Telemetry | undefined;
}): { env: Record<string, string>; clashes: string[]; hidden: string[] } {
  const platform: Record<string, string> = {
    PADDOCK: '1',
    PADDOCK_PROJECT: parts.deployment.project_name,
    PADDOCK_ENVIRONMENT: parts.deployment.environment,
    PADDOCK_DEPLOYMENT_ID: parts.deployment.id,
    PADDOCK_URL: parts.deployment.url,
    ...(parts.databases.postgres_url ? { DATABASE_URL: databaseUrl(parts.asked ?? [], parts.databases.postgres_url) } : {}),
    ...(parts.databases.redis_url ? { REDIS_URL: parts.databases.redis_url } : {}),
  };
  const ofDatabases = databaseVariables(parts.asked ?? [], parts.databases);
  const given: Record<string, string> = {
    // The sandbox hides the memory limit from V8. Its heap would then grow to a part of the machine's memory and the agent be killed, where
    // garbage collection would have been enough. A quarter is left for buffers, stacks and code.
    NODE_OPTIONS: `--max-old-space-size=${Math.floor(parts.memory_mb * 0.75)}`,
    // uvicorn and gunicorn read the visitor's address and scheme from the headers of a trusted proxy. Only the gateway reaches an agent.
    FORWARDED_ALLOW_IPS: '*',
    ...ofDatabases,
    ...parts.plan,
    ...Object.fromEntries(parts.variables.map(({ key, value }) => [key, value])),
  };
  for (const [key, value] of Object.entries(parts.telemetry ? openTelemetry(parts.telemetry, parts.deployment, given) : {}))
    given[key] ??= value;
  const clashes = Object.keys(given).filter((key) => key in platform || key === 'PORT');
  const { PORT: _, ...own } = given;
  const hidden = parts.variables.filter(({ key, value }) => (ofDatabases[key] ?? value) !== value).map(({ key }) => key);
  return { env: { ...own, ...platform }, clashes, hidden };
}

/**
 * The settings that every OpenTelemetry SDK reads. None are set if the user names another endpoint: the credential must not be sent there.
 */
function openTelemetry(
  { port, header }: Telemetry,
  { id, project_name, environment }: { id: string; project_name: string; environment: string },
  given: Record<string, string>,
): Record<string, string> {
  if (Object.keys(given).some((key) => /^OTEL_EXPORTER_OTLP_(\w+_)?ENDPOINT$/.test(key))) return {};
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_HEADERS: header,
    OTEL_SERVICE_NAME: project_name,
    OTEL_RESOURCE_ATTRIBUTES: `service.instance.id=${id},deployment.environment.name=${environment}`,
  };
}
