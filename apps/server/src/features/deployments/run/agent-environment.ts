/**
 * What an agent gets: the plan's own settings, then the manifest's, then the project's variables; what the platform sets comes last and
 * cannot be overridden. Clashes are told, never silent.
 */
export function agentEnvironment(parts: {
  plan: Record<string, string>;
  variables: { key: string; value: string }[];
  databases: { redis_url?: string | undefined; postgres_url?: string | undefined };
  deployment: { id: string; project_name: string; environment: string; url: string };
  memory_mb: number;
}): { env: Record<string, string>; clashes: string[] } {
  const platform: Record<string, string> = {
    PADDOCK: '1',
    PADDOCK_PROJECT: parts.deployment.project_name,
    PADDOCK_ENVIRONMENT: parts.deployment.environment,
    PADDOCK_DEPLOYMENT_ID: parts.deployment.id,
    PADDOCK_URL: parts.deployment.url,
    ...(parts.databases.postgres_url ? { DATABASE_URL: parts.databases.postgres_url } : {}),
    ...(parts.databases.redis_url ? { REDIS_URL: parts.databases.redis_url } : {}),
  };
  const given: Record<string, string> = {
    // The sandbox hides the limit from V8, which would let its heap grow to a part of the machine's memory and be killed, where
    // collecting garbage would have done; a quarter is left to buffers, stacks and code.
    NODE_OPTIONS: `--max-old-space-size=${Math.floor(parts.memory_mb * 0.75)}`,
    ...parts.plan,
    ...Object.fromEntries(parts.variables.map(({ key, value }) => [key, value])),
  };
  const clashes = Object.keys(given).filter((key) => key in platform || key === 'PORT');
  const { PORT: _, ...own } = given;
  return { env: { ...own, ...platform }, clashes };
}
