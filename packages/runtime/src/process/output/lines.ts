import { StringDecoder } from 'node:string_decoder';

/** Longer lines are cut here; the rest of such a line is dropped, with a mark in its place. */
export const LINE_LIMIT = 16 * 1024;
const MARK = ' …[cut]';

/** Cuts a byte stream into lines without their ends. Holds at most one line of `LINE_LIMIT` characters. */
export function lineSplitter(onLine: (line: string) => void): { push(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let dropping = false;

  const emit = () => {
    onLine(dropping ? pending + MARK : pending.endsWith('\r') ? pending.slice(0, -1) : pending);
    pending = '';
    dropping = false;
  };
  const take = (text: string) => {
    const room = LINE_LIMIT - pending.length;
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
