// A single pass over a text that finds out which rules are needed, and where its digits are.
import { isControl } from './controls.ts';
import type { Runs } from './numbers/runs.ts';

/** The characters that occur in a text. A rule whose characters do not occur returns at once. */
export interface Gates {
  /** ASCII digits. */
  digits: number;
  /** The runs of digits, at which most rules begin. */
  runs: Runs;
  /** Capital letters, including Latin-1. */
  capitals: number;
  /** `@` */
  ats: number;
  /** `:` */
  colons: number;
  /** `%`, `(`, `<`, `[` and `{`: a value may be spelled in another way. */
  marks: number;
  /** A character that `fold.ts` replaces or removes. */
  mustFold: boolean;
}

const COLON = 58;
const NO_RUNS: Runs = [];

const OTHER = 0;
const DIGIT = 1;
const CAPITAL = 2;
const AT = 3;
const SEPARATOR = 4;
const MARK = 5;
const CONTROL = 6;

const KINDS = new Uint8Array(128);
for (let code = 48; code < 58; code++) KINDS[code] = DIGIT;
for (let code = 65; code < 91; code++) KINDS[code] = CAPITAL;
KINDS[64] = AT;
KINDS[COLON] = SEPARATOR;
for (let code = 0; code < 128; code++) if (isControl(code) || code === 11 || code === 12) KINDS[code] = CONTROL;
for (const mark of '%(<[{') KINDS[mark.charCodeAt(0)] = MARK;

export function computeGates(text: string): Gates {
  const counts = { capitals: 0, ats: 0, colons: 0, marks: 0 };
  let runs: number[] | undefined;
  let digits = 0;
  let mustFold = false;
  const length = text.length;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) {
      if (code >= 0xc0 && code <= 0xde) counts.capitals++;
      else if (!mustFold && isFolded(code)) mustFold = true;
      continue;
    }
    const kind = KINDS[code];
    if (kind === OTHER) continue;
    if (kind === DIGIT) {
      const start = at;
      while (++at < length) {
        const next = text.charCodeAt(at);
        if (next < 48 || next > 57) break;
      }
      runs ??= [];
      runs.push(start, at);
      digits += at - start;
      at--;
    } else if (kind === CAPITAL) counts.capitals++;
    else if (kind === AT) counts.ats++;
    else if (kind === SEPARATOR) counts.colons++;
    else if (kind === MARK) counts.marks++;
    else mustFold = true;
  }
  return {
    digits,
    runs: runs ?? NO_RUNS,
    capitals: counts.capitals,
    ats: counts.ats,
    colons: counts.colons,
    marks: counts.marks,
    mustFold,
  };
}

/** Approximates the characters that `fold.ts` changes; a superset is enough. */
function isFolded(code: number): boolean {
  if (code < 0x2000) return code <= 0xa0 || code === 0xad || code === 0x34f || (code >= 0x660 && code <= 0x96f) || code === 0x180e;
  if (code < 0x2213) return true;
  return code === 0x3000 || code === 0xd835 || (code >= 0xdc80 && code <= 0xdcff) || code >= 0xfe00;
}
