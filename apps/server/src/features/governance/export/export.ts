import type { AuditFilter, AuditLog, exportFormats } from '@paddock/contract';
import type { RecordRow } from '../record-sql.ts';
import { show } from '../show.ts';
import { csvHeader, csvLine } from './csv.ts';
import { ocsf } from './ocsf.ts';

export interface WantedExport {
  team_id: string;
  format: (typeof exportFormats)[number];
  filter: AuditFilter;
}

interface Deps {
  matching: (team_id: string, filter: AuditFilter) => AsyncGenerator<RecordRow>;
  chain: (team_id: string, filter: AuditFilter) => AsyncGenerator<string>;
}

/** The text of a file with what the filter leaves, as it is read: nothing holds the whole. */
export function exportText({ matching, chain }: Deps) {
  return ({ team_id, format, filter }: WantedExport): AsyncGenerator<string> =>
    format === 'jsonl' ? lines(chain(team_id, filter)) : written[format](logs(team_id, filter));

  async function* logs(team_id: string, filter: AuditFilter): AsyncGenerator<AuditLog> {
    for await (const row of matching(team_id, filter)) yield show(row);
  }
}

async function* lines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield `${text}\n`;
}

const written: Record<Exclude<WantedExport['format'], 'jsonl'>, (logs: AsyncIterable<AuditLog>) => AsyncGenerator<string>> = {
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
