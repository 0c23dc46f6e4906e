/** Follows the frames of one direction of a WebSocket, to know when a frame of our own may stand between two of theirs. */
export function frameFollower() {
  let payloadLeft = 0;
  let head: number[] = [];

  return { read, isBetweenFrames: () => payloadLeft === 0 && head.length === 0 };

  function read(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      if (payloadLeft > 0) {
        const used = Math.min(payloadLeft, piece.length - at);
        payloadLeft -= used;
        at += used;
        continue;
      }
      head.push(piece[at]!);
      at += 1;
      if (head.length < 2 || head.length < headLength(head[1]!)) continue;
      payloadLeft = payloadLength(head);
      head = [];
    }
  }
}

function headLength(second: number): number {
  const length = second & 0x7f;
  const maskBytes = second & 0x80 ? 4 : 0;
  if (length === 126) return 2 + 2 + maskBytes;
  if (length === 127) return 2 + 8 + maskBytes;
  return 2 + maskBytes;
}

function payloadLength(head: readonly number[]): number {
  const length = head[1]! & 0x7f;
  if (length < 126) return length;
  return head.slice(2, length === 126 ? 4 : 10).reduce((sum, byte) => sum * 256 + byte, 0);
}

/** A close frame; what a client sends must be masked, and a mask of zeros changes nothing. */
export function closeFrame(code: number, isMasked: boolean): Buffer {
  const payload = [code >> 8, code & 0xff];
  return Buffer.from(isMasked ? [0x88, 0x82, 0, 0, 0, 0, ...payload] : [0x88, 0x02, ...payload]);
}
