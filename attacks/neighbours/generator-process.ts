// Makes one flood from the message `begin` to the message `end`, at the lowest priority: generator-process.ts NAME AIM
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type Aim, answerFloods, type Flood, visitorFloods } from './floods.ts';
import { startPace } from './pace.ts';

const [name = '', aim = ''] = process.argv.slice(2);
const flood = ({ ...visitorFloods, ...answerFloods } as Record<string, Flood>)[name];
if (!flood) throw new Error(`There is no flood ${name}.`);
lowestPriority();
process.on('message', (word) => {
  if (word === 'begin') return begin(flood);
  pace?.end();
  process.send?.(pace?.count() ?? 0);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

let pace: ReturnType<typeof startPace> | undefined;

function begin(flood: Flood): void {
  pace = startPace();
  void flood(JSON.parse(aim) as Aim, pace);
}

/** Sets the lowest priority of this process, and of its session relative to other sessions and agents. */
function lowestPriority(): void {
  setPriority(19);
  try {
    writeFileSync('/proc/self/autogroup', '19');
  } catch {
    // This kernel has no autogroups.
  }
}
