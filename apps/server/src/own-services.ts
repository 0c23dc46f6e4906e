import type { Config } from './config.ts';

/** The addresses of the platform's own services: API and gateway at any address of this machine, database and mail server at their hosts. */
export function ownServices({ port, gateway_port, smtp_url }: Pick<Config, 'port' | 'gateway_port' | 'smtp_url'>, databaseUrl: string) {
  const at = (url: string, usual: number) => {
    const { hostname, port } = new URL(url);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || usual };
  };
  const services: { host?: string; port: number }[] = [{ port }, { port: gateway_port }, at(databaseUrl, 5432)];
  if (smtp_url) services.push(at(smtp_url, smtp_url.startsWith('smtps:') ? 465 : 587));
  return services;
}
