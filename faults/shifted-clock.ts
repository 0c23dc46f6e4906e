// For `node --import`: this process's wall clock is wrong by as many milliseconds as the file CLOCK_SHIFT says. The monotonic clock goes on,
// as when an administrator or NTP sets the time.
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
