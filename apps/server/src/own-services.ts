import type { Config } from './config.ts';

/** Where the platform's own services answer: its API and gateway at any address of this machine, its database and its mail server where they are. */
export function ownServices({ port, gateway_port, smtp_url }: Pick<Config, 'port' | 'gateway_port' | 'smtp_url'>, databaseUrl: string) {
  const at = (url: string, usual: number) => {
    const { hostname, port } = new URL(url);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || usual };
  };
  return [
    { port },
    { port: gateway_port },
    at(databaseUrl, 5432),
    ...(smtp_url ? [at(smtp_url, smtp_url.startsWith('smtps:') ? 465 : 587)] : []),
  ];
}
