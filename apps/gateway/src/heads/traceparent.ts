const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

/** Whether a text is a valid traceparent (W3C Trace Context): ids of only zeros are invalid, and only a later version may have more fields. */
export function isTraceparent(value: string): boolean {
  const [, version, trace, span] = form.exec(value) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && value.length !== 55)) return false;
  return trace !== '0'.repeat(32) && span !== '0'.repeat(16);
}
