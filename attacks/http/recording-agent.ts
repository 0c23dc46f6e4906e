import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** An agent with a strict parser that also records the raw bytes of each connection. */
export async function recordingAgent() {
  let raw: string[] = [];
  let whole: string[] = [];
  const server = createServer({ insecureHTTPParser: false }, (req, res) => {
    const pieces: Buffer[] = [];
    req.on('data', (piece: Buffer) => pieces.push(piece));
    req.on('error', () => res.destroy());
    req.on('end', () => {
      whole.push(`${req.method} ${req.url}`);
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ url: req.url, headers: req.rawHeaders, body: Buffer.concat(pieces).toString('latin1') }));
    });
  });
  server.on('connection', (socket: Socket) => {
    const at = raw.push('') - 1;
    const log = raw;
    socket.on('data', (piece: Buffer) => (log[at] += piece.toString('latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** Returns and clears the record: the raw bytes, and the requests that were complete. */
    takeReport() {
      const report = { raw: raw.join(''), whole };
      for (let i = 0; i < raw.length; i++) raw[i] = '';
      whole = [];
      return report;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      raw = [];
    },
  };
}
