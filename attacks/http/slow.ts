import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SlowAttack {
  name: string;
  count: number;
  /** Number of loopback addresses that the attackers share. */
  addresses: number;
  /** Bytes sent at once, and bytes sent every second after that; without `drips` nothing more is sent. */
  begins: string;
  drips?: string;
  /** The responses are not read. */
  isDeaf?: boolean;
}

/** Opens the connections, keeps them as slow as possible, and counts those that the server has not closed. */
export async function besiege(port: number, attack: SlowAttack) {
  const sockets = new Set<Socket>();
  for (let i = 0; i < attack.count; i++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (i % attack.addresses)}` });
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('connect', () => {
      if (attack.isDeaf) socket.pause();
      else socket.resume();
      if (attack.begins) socket.write(attack.begins, 'latin1');
    });
    // The connections are opened in batches: the queue of the listening socket is not under test.
    if (i % 100 === 99) await sleep(5);
  }
  const dripping = setInterval(() => {
    if (attack.drips) for (const socket of sockets) if (socket.writable && !socket.connecting) socket.write(attack.drips, 'latin1');
  }, 1_000);
  await sleep(700);
  return {
    held: () => sockets.size,
    end() {
      clearInterval(dripping);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** `path` takes bodies, `long` answers at length. */
export type SlowTarget = { host: string; path: string; long: string };

/** The usual slow clients. */
export function slowAttacks({ host, path, long }: SlowTarget, size: { one: number; idle: number }): SlowAttack[] {
  const head = `Host: ${host}\r\nContent-Type: application/json\r\nAuthorization: Bearer x\r\n`;
  return [
    { name: 'slow headers', count: size.one, addresses: 1, begins: `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n`, drips: 'X: a\r\n' },
    {
      name: 'slow body',
      count: size.one,
      addresses: 1,
      begins: `POST ${path} HTTP/1.1\r\n${head}Content-Length: 100000\r\n\r\n{`,
      drips: ' ',
    },
    {
      name: 'requests sent ahead, answers unread',
      count: size.one,
      addresses: 1,
      begins: `GET ${long} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(30),
      isDeaf: true,
    },
    { name: 'slow read', count: size.one, addresses: 1, begins: `GET ${long} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, isDeaf: true },
    { name: 'idle connections', count: size.idle, addresses: Math.ceil(size.idle / 200), begins: '' },
  ];
}
