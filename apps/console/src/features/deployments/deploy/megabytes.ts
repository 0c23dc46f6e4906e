/** The size of a file in MB, or in KB below one MB: `12 KB`, `3.4 MB`, `250 MB`. */
export const megabytes = (size: number) =>
  size < 1024 ** 2 ? `${Math.max(1, Math.round(size / 1024))} KB` : `${(size / 1024 ** 2).toFixed(size < 10 * 1024 ** 2 ? 1 : 0)} MB`;
