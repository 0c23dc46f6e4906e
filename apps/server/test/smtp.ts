import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Scope } from './platform.ts';

export interface Received extends Email {
  /** The recipients in the envelope. */
  recipients: string[];
}

/** A real SMTP server on loopback. Accepted mails are in `received`; `refuse` may reject a recipient with an error, or delay. */
export async function smtpServer(t: Scope, refuse: (address: string) => unknown = () => undefined) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onRcptTo({ address }, _session, answer) {
      Promise.resolve(refuse(address)).then(
        () => answer(),
        (error: unknown) => answer(error as Error),
      );
    },
    onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        PostalMime.parse(Buffer.concat(chunks)).then(
          (mail) => (received.push({ ...mail, recipients }), answer()),
          (error: unknown) => answer(error as Error),
        );
      });
    },
  });
  server.on('error', () => undefined); // from clients that disconnect
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  return { received, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** The error with which an SMTP server rejects. */
export const smtpError = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });
