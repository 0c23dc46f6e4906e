import { toAuditLog } from '../to-audit-log.ts';
import type { ChainPart } from './chain-export.ts';

/**
 * A JSON document with the records in the API's form. Each record also has a field `chain` with data that a verifier needs and the API does not
 * return; docs/audit-format.md specifies the layout of the lines, on which a one-pass verifier relies.
 */
export async function* jsonDocument(parts: AsyncIterable<ChainPart>): AsyncGenerator<string> {
  let hasHeader = false;
  let separator = '\n';
  /** Checkpoints and removals since the last record; the last of all is the end. */
  let lines: string[] = [];
  for await (const part of parts) {
    if (typeof part === 'string' && !hasHeader) {
      hasHeader = true;
      yield `{"header":${part},"logs":[`;
    } else if (typeof part === 'string') lines.push(part);
    else {
      yield separator + entry(part, lines);
      separator = ',\n';
      lines = [];
    }
  }
  const end = lines.pop();
  yield `\n],"lines":[${ownLines(lines)}],"end":${end}}\n`;
}

function entry({ row, proof }: Exclude<ChainPart, string>, lines: readonly string[]): string {
  const { target_type, target_id, payload_hash, salt } = row;
  const chain = {
    v: 1,
    target_type,
    target_id,
    payload_hash: payload_hash.toString('hex'),
    salt: salt?.toString('hex') ?? null,
    ...(proof === undefined ? {} : { proof }),
  };
  return `${JSON.stringify({ ...toAuditLog(row), chain }).slice(0, -'}}'.length)},"lines":[${ownLines(lines)}]}}`;
}

/** There may be many removals: each has its own line, since a verifier bounds lines. */
const ownLines = (lines: readonly string[]) => (lines.length > 0 ? `\n${lines.join(',\n')}\n` : '');
