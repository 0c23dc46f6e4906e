import { StringDecoder } from 'node:string_decoder';

/** Longer lines are cut here, and a mark replaces the rest. */
export const MAX_LINE_CHARACTERS = 16 * 1024;
const MARK = ' …[cut]';

/** Cuts a byte stream into lines without their ends. Buffers at most one line of `MAX_LINE_CHARACTERS`. */
export function lineSplitter(onLine: (line: string) => void): { push(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let dropping = false;

  const emit = () => {
    if (dropping) onLine(pending + MARK);
    else onLine(pending.endsWith('\r') ? pending.slice(0, -1) : pending);
    pending = '';
    dropping = false;
  };
  const take = (text: string) => {
    const room = MAX_LINE_CHARACTERS - pending.length;
    if (text.length > room) dropping = true;
    pending += text.slice(0, room);
  };

  return {
    push(chunk) {
      const parts = decoder.write(chunk).split('\n');
      const rest = parts.pop() ?? '';
      for (const part of parts) {
        take(part);
        emit();
      }
      take(rest);
    },
    end() {
      take(decoder.end());
      if (pending !== '' || dropping) emit();
    },
  };
}
