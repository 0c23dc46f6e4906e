const headEnd = Buffer.from('\r\n\r\n', 'latin1');
/** Most heads are shorter: decoding this much text and searching it costs less than a search in the bytes. */
const likelyBytes = 2 * 1024;

/** Finds the end of a head that arrives in pieces; no byte is searched twice, however small they are. */
export class HeadFinder {
  /** The last head that was found, without the empty line. */
  text = '';
  #searched = 0;

  /** Searches bytes [from, to), which begin with the head and grow from call to call. Returns where the head ends, or -1. */
  find(bytes: Buffer, from: number, to: number): number {
    if (this.#searched === 0) {
      const likely = bytes.toString('latin1', from, Math.min(to, from + likelyBytes));
      const end = likely.indexOf('\r\n\r\n');
      if (end >= 0) {
        this.text = likely.slice(0, end);
        return from + end + headEnd.length;
      }
      this.#searched = Math.min(to - from, likelyBytes);
    }
    const start = from + Math.max(0, this.#searched - headEnd.length + 1);
    const at = bytes.subarray(start, to).indexOf(headEnd);
    this.#searched = to - from;
    if (at < 0) return -1;
    this.text = bytes.toString('latin1', from, start + at);
    this.#searched = 0;
    return start + at + headEnd.length;
  }

  forget(): void {
    this.text = '';
    this.#searched = 0;
  }
}
