// For `node --import`: shifts this process's wall clock by the milliseconds in the file CLOCK_SHIFT. The monotonic clock is unchanged, as
// when an administrator or NTP sets the time.
import { existsSync, readFileSync } from 'node:fs';

const file = process.env.CLOCK_SHIFT;
if (!file) throw new Error('CLOCK_SHIFT must name a file');
const TrueDate = Date;
let shiftMs = 0;
setInterval(() => (shiftMs = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0), 100).unref();

class ShiftedDate extends TrueDate {
  constructor(...given: [] | ConstructorParameters<typeof Date>) {
    if (given.length) super(...given);
    else super(TrueDate.now() + shiftMs);
  }
  static override now() {
    return TrueDate.now() + shiftMs;
  }
}
globalThis.Date = ShiftedDate as DateConstructor;
