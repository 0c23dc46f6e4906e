let line = '';
let second = -1;

/** The Date header, with its CRLF; recreated once a second. */
export function dateLine(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    line = `Date: ${new Date(now * 1_000).toUTCString()}\r\n`;
  }
  return line;
}
