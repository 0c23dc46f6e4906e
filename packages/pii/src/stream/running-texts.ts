// Recognizes JSON values that are parts of a longer text, by the keys under which common model APIs stream texts and the arguments of
// tools.
import type { Piece } from '../pieces.ts';

export interface RunningText {
  name: string;
  /** A value under such a key may also be a complete text that the next one does not continue. */
  isAlsoWhole: boolean;
}

/** Numbers that show to which of several texts a part belongs. */
const INDEXES = new Set(['index', 'output_index', 'content_index']);
const NO_TEXT = new Set(['type', 'role', 'id', 'name', 'stop_reason', 'status']);
/** Keys that count only at the top level of a document. */
const TOP = new Set(
  'token chunk completion response delta text content output answer message thinking reasoning generated_text output_text argsTextDelta inputTextDelta'.split(
    ' ',
  ),
);
const IN_MESSAGE = new Set(['content', 'thinking', 'reasoning']);
const TEXT_HOLDERS = new Set(['choices', 'parts', 'token']);

export function detectChannel({ key, parent }: Piece): RunningText | undefined {
  if (key === undefined) return undefined;
  if (parent === 'delta' && !NO_TEXT.has(key)) return { name: `delta.${key}`, isAlsoWhole: false };
  if (parent === undefined && TOP.has(key)) return { name: key, isAlsoWhole: true };
  if (parent === 'message' && IN_MESSAGE.has(key)) return { name: `message.${key}`, isAlsoWhole: true };
  if (key === 'arguments' && parent === 'function') return { name: 'function.arguments', isAlsoWhole: false };
  if (key === 'text' && parent !== undefined && TEXT_HOLDERS.has(parent)) return { name: `${parent}.text`, isAlsoWhole: true };
  return undefined;
}

/** The fields such as `"index":0`, in order. Bounded, because strangers write the line. */
export function readIndexes(data: string): string {
  const found: string[] = [];
  for (const key of INDEXES) {
    let at = data.indexOf(`"${key}":`);
    for (let i = 0; at !== -1 && i < 8; i++) {
      found.push(
        data
          .slice(at + key.length + 3, at + key.length + 7)
          .trim()
          .split(/[,}\s]/)[0]!,
      );
      at = data.indexOf(`"${key}":`, at + 1);
    }
  }
  return found.join(',');
}
