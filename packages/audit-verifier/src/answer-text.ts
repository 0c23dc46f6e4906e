import { shown } from './fields.ts';
import type { Answer } from './verify-export.ts';

const exitCodes = { valid: 0, broken: 1, unproven: 2 } as const satisfies { [verdict in Answer['verdict']]: number };
/** Exit code for wrong usage and unreadable files, which are none of the three verdicts. */
export const usageExit = 64;

export const exitCodeOf = ({ verdict }: Pick<Answer, 'verdict'>) => exitCodes[verdict];

/** An answer as readable text. */
export function answerText(answer: Answer): string {
  const { records, erased, covered_to, key_id, note } = answer;
  const rows = [
    headline(answer),
    `Records   ${counted(records)}${erased > 0 ? `, the payloads of ${counted(erased)} were removed` : ''}`,
    `Covered   ${covered_to > 0 ? `up to record ${counted(covered_to)} by signed checkpoints` : 'by no checkpoint'}`,
    ...(key_id === null ? [] : [`Key       ${key_id} (${sources[answer.key_source]})`]),
    ...(note === undefined ? [] : [`Note      ${note}`]),
  ];
  return rows.join('\n');
}

const sources = {
  given: 'given',
  checkpoints: 'of the kept checkpoints',
  export: 'named by the export itself',
} as const satisfies { [source in Answer['key_source']]: string };

function headline({ verdict, first_bad, covered_to, head_seq }: Answer): string {
  if (first_bad) {
    const { seq, id, line, reason } = first_bad;
    const where = [...(id === null ? [] : [shown(id)]), ...(line === null ? [] : [`line ${counted(line)}`])].join(', ');
    return `Broken from record ${counted(seq)}${where === '' ? '' : ` (${where})`}: ${reason}`;
  }
  if (verdict === 'valid') return 'Valid: signed checkpoints cover all records.';
  if (covered_to >= head_seq && covered_to > 0) return 'Unproven: signed checkpoints cover all records, but not the removal of payloads.';
  if (covered_to === 0) return `Unproven: no signed checkpoint covers these records yet. ${whenProven}`;
  return `Unproven: no signed checkpoint covers records ${counted(covered_to + 1)} to ${counted(head_seq)} yet. ${whenProven}`;
}

/** The server signs new records every three minutes. */
const whenProven = 'One is signed within three minutes after a record: export again then.';

const counted = (count: number) => count.toLocaleString('en');
