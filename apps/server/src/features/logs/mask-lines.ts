import { logLimits } from '@paddock/contract/limits';
import type { Blanking } from '../../protection/agent-secrets/blanking.ts';
import type { BlankingOf } from '../../protection/agent-secrets/known-secrets.ts';
import { resolveMasking, totalOf } from '../../protection/masking.ts';
import { hourOf, type PiiCount } from '../../protection/pii-hours-store.ts';
import { GivenUp, type Scanner } from '../../protection/scanner/start.ts';
import type { ProtectionOf } from '../../protection/settings-store.ts';
import type { NewLine } from './append.ts';
import { cutMark } from './split-lines.ts';

/** Time budget of one batch. Lines left by then are not scanned, and so not stored. */
const usualBudgetMs = 1_000;
/** Bytes removed before the mark of a line that was cut: a value may have been cut with it. */
const cutMargin = 128;

const notScanned = (why: string) => `[not scanned: ${why}]`;

export interface MaskedLines {
  lines: NewLine[];
  /** Undefined when nothing was scanned. */
  pii?: PiiCount | undefined;
}
/** Applies the project's data protection settings to lines before they are stored. */
export type MaskLines = (deployment_id: string, lines: NewLine[]) => Promise<MaskedLines>;

interface Deps {
  protectionOf: ProtectionOf;
  readBlanking: BlankingOf;
  scanner: Pick<Scanner, 'mask'>;
  /** The installation's token key. */
  key: Uint8Array;
  budgetMs?: number;
}

/**
 * Blanks the agent's secrets in lines before they are stored, and masks personal data if the project wants that. A line that cannot be
 * scanned in time is replaced by a notice. Rejects when the settings cannot be read or nothing can be scanned now: the lines must not be
 * stored then.
 */
export const createLineMasker =
  ({ protectionOf, readBlanking, scanner, key, budgetMs = usualBudgetMs }: Deps): MaskLines =>
  async (deployment_id, given) => {
    const protection = given.length > 0 ? await protectionOf(deployment_id) : undefined;
    if (!protection) return { lines: given };
    const { team_id, project_id } = protection;
    const blanking = await readBlanking(team_id, project_id);
    const lines = given.map((line) => ({ ...line, message: blankedMessage(line, blanking) }));
    if (!protection.settings.redact_logs) return { lines };
    const masking = resolveMasking(protection, key);
    if (masking.types.length === 0) return { lines };
    const { texts, counts } = await scanner.mask({ texts: lines.map(textOf), masking, budgetMs }).catch((error: unknown) => {
      if (!(error instanceof GivenUp)) throw error;
      return { texts: [], counts: {} };
    });
    const found = totalOf(counts);
    return {
      lines: lines.map((line, at) => ({ ...line, message: fit(texts[at] ?? notScanned('it took too long'), isCut(line)) })),
      pii: { team_id, project_id, hour: hourOf(Date.now()), scans: 1, detected: found, redacted: found, types: counts },
    };
  };

const isCut = ({ message }: NewLine) => message.endsWith(cutMark);

const blankedMessage = (line: NewLine, blanking: Blanking) =>
  isCut(line) ? blanking.beginning(line.message.slice(0, -cutMark.length)) + cutMark : blanking.text(line.message);

const textOf = (line: NewLine) => (isCut(line) ? line.message.slice(0, -cutMark.length - cutMargin) : line.message);

/** A placeholder may be longer than its value. */
function fit(message: string, wasCut: boolean): string {
  const isLong = Buffer.byteLength(message) > logLimits.lineBytes;
  const fitting = isLong ? Buffer.from(message).subarray(0, logLimits.lineBytes).toString('utf8') : message;
  return isLong || wasCut ? fitting + cutMark : fitting;
}
