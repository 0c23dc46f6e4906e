import type { ServerResponse } from 'node:http';
import { partialSuccess } from '@paddock/otlp';
import type { Rejected } from './rejected.ts';

export type OtlpEncoding = 'json' | 'protobuf';

const why = 'More spans than this deployment may send in a minute or a trace may have, or spans without ids or of another time.';

/** OTLP's own response: 200, with the number of rejected spans if there are any. */
export function sendAccepted(response: ServerResponse, { form, rejected }: { form: OtlpEncoding; rejected: number }): void {
  const type = form === 'json' ? 'application/json' : 'application/x-protobuf';
  end(response, { status: 200, type, body: partialSuccess(form, { rejected, why }) });
}

export function sendRejected(response: ServerResponse, { status, message, headers }: Rejected): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  end(response, { status, type: 'application/json', body: Buffer.from(JSON.stringify({ code: status, message })) });
}

function end(response: ServerResponse, { status, type, body }: { status: number; type: string; body: Uint8Array }): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': type, 'content-length': body.length, 'x-content-type-options': 'nosniff' });
  response.end(body);
}
