import { inflateRawSync } from 'node:zlib';
import type { AnswerData, AuditEvent, RequestData } from '@paddock/audit';
import type { TestDatabase } from './database.ts';

export type RequestEvent = AuditEvent & { input_data: RequestData & AuditEvent['input_data'] };
export type AnswerEvent = AuditEvent & { output_data: AnswerData & AuditEvent['output_data'] };

/** All events that gateways have submitted, in order. */
export async function eventsIn({ sql }: TestDatabase): Promise<AuditEvent[]> {
  const rows = await sql<{ events: Buffer }[]>`select events from audit_intake where events is not null order by number`;
  return rows.flatMap(({ events }) =>
    inflateRawSync(events)
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as AuditEvent),
  );
}

/** The two records of one exchange. */
export function recordsOf(events: AuditEvent[], requestId: unknown): { request: RequestEvent; answer: AnswerEvent } {
  const own = events.filter(({ metadata }) => metadata.request_id === requestId);
  const [request, answer] = ['request', 'response'].map((type) => own.filter(({ action_type }) => action_type === type));
  if (request!.length !== 1 || answer!.length !== 1)
    throw new Error(`${request!.length} requests and ${answer!.length} answers of ${String(requestId)}`);
  return { request: request![0] as RequestEvent, answer: answer![0] as AnswerEvent };
}
