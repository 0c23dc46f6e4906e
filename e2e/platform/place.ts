export interface Place {
  /** The origin of console and API. */
  origin: string;
  port: number;
  gatewayPort: number;
  /** The output of the server. */
  log_file: string;
  /** Ports at which Google and GitLab are expected. */
  identity_ports: number[];
  /** The folder with the mails that the server sent. */
  outbox: string;
}

/** The addresses and files of the platform that was started for the tests. */
export function place(): Place {
  const told = process.env.PADDOCK_E2E_PLACE;
  if (!told) throw new Error('The platform was not started.');
  return JSON.parse(told) as Place;
}

/** The only private address to which the platform may send messages. It belongs to this machine. */
export const openedAddress = '127.0.0.9';
