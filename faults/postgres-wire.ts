/** A message of PostgreSQL's protocol, version 3: its type and the body after the length. */
export interface Message {
  type: string;
  body: Buffer;
}

const messageMost = 64 * 1024 * 1024;

/** Splits a stream into messages. `hasStartup`: a client's first message has no type; an unencrypted connection is assumed. */
export function messageReader({ hasStartup }: { hasStartup: boolean }) {
  let rest: Buffer = Buffer.alloc(0);
  let startup = hasStartup;
  return (chunk: Buffer): Message[] => {
    rest = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    const messages: Message[] = [];
    for (;;) {
      const typeBytes = startup ? 0 : 1;
      if (rest.length < typeBytes + 4) return messages;
      const length = rest.readUInt32BE(typeBytes);
      if (length > messageMost) throw new Error(`a message of ${length} bytes is none of PostgreSQL's`);
      if (rest.length < typeBytes + length) return messages;
      messages.push({ type: startup ? '' : rest.toString('latin1', 0, 1), body: rest.subarray(typeBytes + 4, typeBytes + length) });
      rest = rest.subarray(typeBytes + length);
      startup = false;
    }
  };
}

/** Returns the text of each statement that a client executes, in either protocol: simple queries, and prepared statements by name. */
export function statementReader() {
  const read = messageReader({ hasStartup: true });
  const prepared = new Map<string, string>();
  return (chunk: Buffer): string[] =>
    read(chunk).flatMap(({ type, body }) => {
      if (type === 'Q') return [textAt(body, 0).text];
      if (type === 'P') {
        const name = textAt(body, 0);
        prepared.set(name.text, textAt(body, name.end).text);
      }
      if (type !== 'B') return [];
      return [prepared.get(textAt(body, textAt(body, 0).end).text) ?? '']; // a portal's name comes first
    });
}

function textAt(body: Buffer, from: number): { text: string; end: number } {
  const end = body.indexOf(0, from);
  return { text: body.toString('utf8', from, end), end: end + 1 };
}
