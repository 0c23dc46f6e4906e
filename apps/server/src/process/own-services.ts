import type { Config } from '../config/config.ts';

/** The addresses of the platform's own services: API and gateway at any address of this machine, database and mail server at their hosts. */
export function ownServices({ port, gatewayPort, smtpUrl }: Pick<Config, 'port' | 'gatewayPort' | 'smtpUrl'>, databaseUrl: string) {
  const at = (url: string, usual: number) => {
    const { hostname, port } = new URL(url);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || usual };
  };
  const services: { host?: string; port: number }[] = [{ port }, { port: gatewayPort }, at(databaseUrl, 5432)];
  if (smtpUrl) services.push(at(smtpUrl, smtpUrl.startsWith('smtps:') ? 465 : 587));
  return services;
}
