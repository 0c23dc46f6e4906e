import { createTransport } from 'nodemailer';
import { message, type Transport } from './transport.ts';

/** Timeout of each step, which the URL may override (`?socketTimeout=…`). A whole attempt is bounded by its signal. */
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends by SMTP. `smtps://` uses TLS from the start; `smtp://` switches to TLS when the server offers it, or always with `?requireTLS=true`. */
export function smtp(url: string): Transport {
  const transport = createTransport({ url, ...timeouts });
  return async (mail, signal) => {
    await transport.sendMail({ ...message(mail), signal });
  };
}
