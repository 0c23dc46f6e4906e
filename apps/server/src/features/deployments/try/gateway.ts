import type { Config } from '../../../config/config.ts';

/** Target of a request to an agent. */
export interface Gateway {
  host: string;
  port: number;
  isTls: boolean;
}

/** The gateway beside this server; if the server starts none, whatever listens at the agents' addresses. */
export function resolveGateway(
  { host, gatewayPort, asksAtAgentUrl }: Pick<Config, 'host' | 'gatewayPort' | 'asksAtAgentUrl'>,
  url: string,
): Gateway {
  if (!asksAtAgentUrl) {
    const isEverywhere = host === '0.0.0.0' || host === '::';
    return { host: isEverywhere ? '127.0.0.1' : host, port: gatewayPort, isTls: false };
  }
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'https:';
  const usual = isTls ? 443 : 80;
  return { host: hostname, port: port === '' ? usual : Number(port), isTls };
}
