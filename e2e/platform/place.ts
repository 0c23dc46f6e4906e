export interface Place {
  /** Of console and API. */
  origin: string;
  port: number;
  gatewayPort: number;
  /** All that the server wrote. */
  log_file: string;
  /** Where Google and GitLab are expected. */
  identity_ports: number[];
  /** The folder with the mails that it sent. */
  outbox: string;
}

/** Where the platform that was started for the tests answers. */
export function place(): Place {
  const told = process.env.PADDOCK_E2E_PLACE;
  if (!told) throw new Error('The platform was not started.');
  return JSON.parse(told) as Place;
}

/** An address of this machine that the platform may send messages to; no other private one is opened. */
export const openedAddress = '127.0.0.9';
