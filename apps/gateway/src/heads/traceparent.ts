const form = /^[0-9a-e][0-9a-f]-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/;

/** Whether a text is a traceparent that may be passed on (W3C Trace Context): ids of zeros alone are none. */
export function isTraceparent(value: string): boolean {
  const [, trace, span] = form.exec(value) ?? [];
  return trace !== undefined && trace !== '0'.repeat(32) && span !== '0'.repeat(16);
}
