const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** '840 B', '12.4 MB', '5 GB': one decimal, omitted if it is zero. Traffic uses powers of 1000, memory and disks powers of 1024. */
export function bytesText(bytes: number, base: 1000 | 1024 = 1024): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(base)));
  // A value that rounds up to 1024 is shown in the next unit.
  const at = power < units.length - 1 && oneDecimal(bytes / base ** power) >= base ? power + 1 : power;
  const size = bytes / base ** at;
  return `${at === 0 ? Math.round(size) : oneDecimal(size)} ${units[at]}`;
}

const oneDecimal = (value: number) => Math.round(value * 10) / 10;
