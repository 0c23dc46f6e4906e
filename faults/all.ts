import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './fault.ts';

/** Every fault of `cases/`, in the order of the file names. */
export async function allFaults(): Promise<Fault[]> {
  const files = globSync('*.ts', { cwd: join(import.meta.dirname, 'cases') }).sort();
  const found: Fault[] = [];
  for (const file of files) {
    const { faults } = (await import(`./cases/${file}`)) as { faults: Fault[] };
    found.push(...faults);
  }
  const twice = found.filter(({ id }, n) => found.findIndex((one) => one.id === id) !== n);
  if (twice.length) throw new Error(`two faults of one name: ${twice.map(({ id }) => id).join(', ')}`);
  return found;
}
