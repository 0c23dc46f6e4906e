import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { messageReader, statementReader } from './postgres-wire.ts';

/** The moment at which the connection breaks: the statement never arrives, its outcome is unknown, or its response was sent and got lost. */
export type Moment = 'before' | 'sent' | 'answered';

interface Cut {
  statement: RegExp;
  moment: Moment;
  happened: () => void;
}
interface Link {
  client: Socket;
  server: Socket;
  /** The cut of the statement in progress, whose response must not pass. */
  awaits: Cut | undefined;
  /** Nothing passes any more, and neither side gets an error. */
  isDead: boolean;
}

const connectionsMost = 500;

/** A proxy between PostgreSQL (or another server) and its clients that breaks connections on command. */
export async function tcpProxy(target: { host: string; port: number }, { isPostgres = true } = {}) {
  const links = new Set<Link>();
  let delayMs = 0;
  let frozen = false;
  let bytesLeft = Number.POSITIVE_INFINITY;
  let cut: Cut | undefined;

  const server = createServer((client) => {
    if (links.size >= connectionsMost) return void client.destroy();
    const link: Link = { client, server: dial(target.port, target.host), awaits: undefined, isDead: frozen };
    links.add(link);
    for (const socket of [link.client, link.server]) {
      socket.setNoDelay(true);
      socket.on('error', () => end(link)); // the proxy exists to break connections
      socket.on('close', () => end(link));
    }
    pass(link);
  });

  function end(link: Link) {
    links.delete(link);
    link.client.destroy();
    link.server.destroy();
  }

  function pass(link: Link) {
    const statements = statementReader();
    const answers = messageReader({ hasStartup: false });
    forward(link, { from: link.client, to: link.server }, (chunk) => {
      const texts = isPostgres ? statements(chunk) : [];
      const hit = cut && texts.some((text) => cut?.statement.test(text)) ? cut : undefined;
      if (!hit) return true;
      cut = undefined;
      if (hit.moment === 'before') return stop(link, hit);
      link.awaits = hit;
      if (hit.moment === 'answered') return true;
      link.server.end(chunk); // PostgreSQL gets the whole statement and then the end of the connection
      link.client.destroy();
      links.delete(link);
      hit.happened();
      return false;
    });
    forward(link, { from: link.server, to: link.client }, (chunk) => {
      const completed = isPostgres && answers(chunk).some(({ type }) => type === 'C');
      return !(link.awaits && completed) || stop(link, link.awaits);
    });
  }

  function stop(link: Link, { happened }: Cut) {
    end(link);
    happened();
    return false;
  }

  /** Forwards everything in order, late by the delay. Data of a dead connection is dropped. */
  function forward(link: Link, { from, to }: { from: Socket; to: Socket }, look: (chunk: Buffer) => boolean) {
    from.on('data', (chunk: Buffer) => {
      if (link.isDead || !look(chunk)) return;
      bytesLeft -= chunk.length;
      if (bytesLeft <= 0) {
        bytesLeft = Number.POSITIVE_INFINITY;
        return end(link);
      }
      if (delayMs) setTimeout(() => to.writable && !link.isDead && to.write(chunk), delayMs);
      else if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
  }

  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);

  return {
    port,
    connections: () => links.size,
    /** The database URL that leads through this proxy. */
    through(url: string) {
      const address = new URL(url);
      address.host = `127.0.0.1:${port}`;
      return address.href;
    },
    /** Ends every connection at once. */
    cutAll: () => links.forEach(end),
    /** Ends the connection whose data reaches the given number of bytes from now on. */
    cutAfter: (bytes: number) => void (bytesLeft = bytes),
    /** Cuts the connection of the next statement that matches; resolves once it is cut. */
    cutAt: (statement: RegExp, moment: Moment) =>
      new Promise<void>((happened) => {
        cut = { statement, moment, happened };
      }),
    /** Adds latency to each direction from now on. */
    delay: (ms: number) => void (delayMs = ms),
    /** Makes a half-open network: connections remain and new ones are accepted, but nothing passes. */
    freeze() {
      frozen = true;
      for (const link of links) link.isDead = true;
    },
    /** Lets new connections pass. Frozen connections remain dead, as after a network that forgot them. */
    thaw: () => void (frozen = false),
    /** New connections are refused, and the old ones end. */
    async refuse() {
      const closed = once(server, 'close');
      server.close();
      links.forEach(end);
      await closed;
    },
    accept: async () => void (await listen(port)),
    async close() {
      links.forEach(end);
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
export type TcpProxy = Awaited<ReturnType<typeof tcpProxy>>;
