const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

/** Whether a text is a traceparent that may be taken up (W3C Trace Context): ids of zeros alone are none, and only a later version says more. */
export function isTraceparent(value: string): boolean {
  const [, version, trace, span] = form.exec(value) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && value.length !== 55)) return false;
  return trace !== '0'.repeat(32) && span !== '0'.repeat(16);
}
