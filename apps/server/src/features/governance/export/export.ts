import { Readable } from 'node:stream';
import type { AuditFilter, AuditLog, exportFormats } from '@paddock/contract';
import type { RecordRow } from '../record-sql.ts';
import { show } from '../show.ts';
import { csvHeader, csvLine } from './csv.ts';
import { ocsf } from './ocsf.ts';

type Format = (typeof exportFormats)[number];

interface Given {
  matching: (team_id: string, filter: AuditFilter) => AsyncGenerator<RecordRow>;
  chain: (team_id: string, filter: AuditFilter) => Promise<AsyncGenerator<string>>;
}

const types: Record<Format, { suffix: string; content_type: string }> = {
  json: { suffix: 'json', content_type: 'application/json; charset=utf-8' },
  jsonl: { suffix: 'jsonl', content_type: 'application/x-ndjson; charset=utf-8' },
  csv: { suffix: 'csv', content_type: 'text/csv; charset=utf-8' },
  ocsf: { suffix: 'ocsf.jsonl', content_type: 'application/x-ndjson; charset=utf-8' },
};

/** A file with what the filter leaves. It is sent as it is read: nothing holds the whole. */
export function exporting({ matching, chain }: Given) {
  return async (team_id: string, format: Format, filter: AuditFilter) => {
    const { suffix, content_type } = types[format];
    const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
    const text = format === 'jsonl' ? lines(await chain(team_id, filter)) : written[format](logs(team_id, filter));
    return { file_name: `audit-logs-${stamp}.${suffix}`, content_type, body: Readable.from(text, { objectMode: false }) };
  };

  async function* logs(team_id: string, filter: AuditFilter): AsyncGenerator<AuditLog> {
    for await (const row of matching(team_id, filter)) yield show(row);
  }
}

async function* lines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield `${text}\n`;
}

const written: Record<Exclude<Format, 'jsonl'>, (logs: AsyncIterable<AuditLog>) => AsyncGenerator<string>> = {
  async *json(logs) {
    yield '{"logs":[';
    let separator = '\n';
    for await (const log of logs) {
      yield separator + JSON.stringify(log);
      separator = ',\n';
    }
    yield '\n]}\n';
  },
  async *csv(logs) {
    yield `${csvHeader}\r\n`;
    for await (const log of logs) yield `${csvLine(log)}\r\n`;
  },
  async *ocsf(logs) {
    for await (const log of logs) yield `${JSON.stringify(ocsf(log))}\n`;
  },
};
