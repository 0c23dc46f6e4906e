import { told } from './cores.ts';
import { type AttackMeasurement, floorMs, isHeld, isHeldOrFast, isStarved, promise } from './measure-under-attack.ts';

const heads = ['attack', 'quiet p50/p99', 'during p50/p99', 'ratio of p99', 'later p99', 'failed', 'held', 'cores', 'did'];
const ms = (value: number) => value.toFixed(1);

/** A row of the table, in Markdown. */
export function line(one: AttackMeasurement): string {
  const { attack, quiet, during, ratios, failed, cores, done } = one;
  return row([
    `${attack.group}: ${attack.name}`,
    `${ms(quiet.p50)}/${ms(quiet.p99)}`,
    `${ms(during.p50)}/${ms(during.p99)}`,
    ratios.map((ratio) => ratio.toFixed(2)).join(', '),
    ms(during.laterP99),
    failed.length === 0 ? `0 of ${during.count}` : `${failed.length} of ${during.count}: ${[...new Set(failed)].slice(0, 3).join(', ')}`,
    verdict(one),
    told(cores),
    done,
  ]);
}

export const head = () => `${row(heads)}\n${row(heads.map(() => '---'))}`;

export function summary(rows: AttackMeasurement[]): string {
  const made = rows.filter(({ attack }) => attack.group !== 'honest');
  const attacks = made.filter((one) => !isStarved(one));
  const undisturbed = attacks.filter(({ cores }) => cores.rest < 0.5);
  const visits = attacks.reduce((sum, { during }) => sum + during.count, 0);
  const failed = attacks.reduce((sum, one) => sum + one.failed.length, 0);
  return [
    `${attacks.filter(isHeld).length} of ${attacks.length} attacks held: the neighbour's p99 at most ${promise} times the quiet one, and no visit failed.`,
    `${attacks.filter(isHeldOrFast).length} of ${attacks.length} with those where the p99 stays below ${floorMs} ms.`,
    `${undisturbed.filter(isHeld).length} of ${undisturbed.length} of those that were measured while other programs had less than half a core.`,
    `${made.length - attacks.length} more could not be made: other programs had the processors.`,
    `${failed} of ${visits} visits beside attacks failed.`,
    'Times in ms; `later p99`: the second half of the attack; `cores`: processors that each took on average.',
  ].join('\n');
}

function verdict(one: AttackMeasurement): string {
  if (isStarved(one) && one.failed.length === 0) return 'not made';
  if (isHeld(one)) return 'yes';
  return isHeldOrFast(one) ? `below ${floorMs} ms` : 'NO';
}

const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
