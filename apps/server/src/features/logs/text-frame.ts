/** A whole WebSocket message (RFC 6455) from a server: one unmasked frame of text with its head, so that it leaves in one write. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = encodeFrameHead(length);
  const frame = Buffer.allocUnsafeSlow(head.length + length);
  head.copy(frame);
  frame.write(text, head.length);
  return frame;
}

/** FIN and text, then the length in one, three or nine bytes. */
function encodeFrameHead(length: number): Buffer {
  if (length < 126) return Buffer.of(0x81, length);
  if (length < 65_536) {
    const head = Buffer.of(0x81, 126, 0, 0);
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head[0] = 0x81;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}
