/** Bytes in readable units: `12 MB`, `3.4 GB`. */
export function inUnits(bytes: number): string {
  const mb = bytes / 1024 ** 2;
  return mb < 1024 ? `${Math.round(mb)} MB` : `${(mb / 1024).toFixed(1)} GB`;
}
