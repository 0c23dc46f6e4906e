import { toAuditLog } from '../to-audit-log.ts';
import type { ChainPart } from './chain-export.ts';

/**
 * One JSON document with the records as the API gives them. Each record has beside it, as `chain`, whatever a verifier needs and the API does not give;
 * docs/audit-format.md says how the lines are laid out, on which a verifier that reads in one pass relies.
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

/** Removals may be many: each has a line of its own, since a verifier bounds lines. */
const ownLines = (lines: readonly string[]) => (lines.length > 0 ? `\n${lines.join(',\n')}\n` : '');
