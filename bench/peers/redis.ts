import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort, program, startProcess, versionOf } from '../measure.ts';

/** A Redis of the bench's own, without persistence, and a raw connection that publishes. */
export async function startRedis(folder: string) {
  const file = program('redis-server', 'redis-server');
  const port = await freePort();
  const started = startProcess(file, [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--protected-mode',
    'no',
    '--dir',
    folder,
  ]);
  await started.listens(port);
  const publisher = connect(port, '127.0.0.1');
  await once(publisher, 'connect');
  publisher.resume();
  return {
    name: `redis ${/v=([\d.]+)/.exec(versionOf(file, '--version'))?.[1]}`,
    port,
    pids: [started.pid],
    subscribing: (channel: string) => `SUBSCRIBE ${channel}\r\n`,
    publish: (channel: string, text: string) =>
      void publisher.write(`*3\r\n$7\r\nPUBLISH\r\n$${channel.length}\r\n${channel}\r\n$${Buffer.byteLength(text)}\r\n${text}\r\n`),
    async close() {
      publisher.destroy();
      await started.close();
    },
  };
}
