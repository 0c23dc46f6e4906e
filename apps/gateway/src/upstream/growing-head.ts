const end = Buffer.from('\r\n\r\n');
const firstBytes = 4 * 1024;

/**
 * The bytes of a head that comes in pieces. Each byte is copied about twice and searched once however small the pieces are: an agent that
 * sends one byte at a time must cost no more than its bytes.
 */
export function growingHead() {
  let bytes = Buffer.alloc(0);
  let used = 0;

  return { add, length: () => used, clear };

  /** Where the empty line begins and what is there by now; `at` is -1 while it has not come. The bytes are valid until the next call. */
  function add(piece: Buffer): { at: number; bytes: Buffer } {
    if (used === 0) {
      const at = piece.indexOf(end);
      if (at >= 0) return { at, bytes: piece };
    }
    const from = Math.max(0, used - end.length + 1);
    keep(piece);
    const all = bytes.subarray(0, used);
    return { at: all.indexOf(end, from), bytes: all };
  }

  function keep(piece: Buffer): void {
    if (used + piece.length > bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(firstBytes, 2 * bytes.length, used + piece.length));
      bytes.copy(grown, 0, 0, used);
      bytes = grown;
    }
    piece.copy(bytes, used);
    used += piece.length;
  }

  function clear(): void {
    bytes = Buffer.alloc(0);
    used = 0;
  }
}
