import type { AuditFilter, AuditLog, exportFormats } from '@paddock/contract';
import type { RecordRow } from '../record-sql.ts';
import { toAuditLog } from '../to-audit-log.ts';
import type { ChainPart } from './chain-export.ts';
import { csvHeader, csvLine } from './csv.ts';
import { jsonDocument } from './json-document.ts';
import { recordLine } from './jsonl.ts';
import { ocsf } from './ocsf.ts';

export interface WantedExport {
  team_id: string;
  format: (typeof exportFormats)[number];
  filter: AuditFilter;
}

interface Deps {
  filteredRecords: (team_id: string, filter: AuditFilter) => AsyncGenerator<RecordRow>;
  chain: (team_id: string, filter: AuditFilter) => AsyncGenerator<ChainPart>;
}

/** The text of a file with the filtered records, streamed: the whole is never in memory. */
export function exportText({ filteredRecords, chain }: Deps) {
  return ({ team_id, format, filter }: WantedExport): AsyncGenerator<string> => {
    if (format === 'jsonl') return jsonLines(chain(team_id, filter));
    if (format === 'json') return jsonDocument(chain(team_id, filter));
    return tables[format](logs(team_id, filter));
  };

  async function* logs(team_id: string, filter: AuditFilter): AsyncGenerator<AuditLog> {
    for await (const row of filteredRecords(team_id, filter)) yield toAuditLog(row);
  }
}

async function* jsonLines(parts: AsyncIterable<ChainPart>): AsyncGenerator<string> {
  for await (const part of parts) yield `${typeof part === 'string' ? part : recordLine(part.row, part.proof)}\n`;
}

const tables: Record<Exclude<WantedExport['format'], 'json' | 'jsonl'>, (logs: AsyncIterable<AuditLog>) => AsyncGenerator<string>> = {
  async *csv(logs) {
    yield csvHeader;
    for await (const log of logs) yield csvLine(log);
  },
  async *ocsf(logs) {
    for await (const log of logs) yield `${JSON.stringify(ocsf(log))}\n`;
  },
};
