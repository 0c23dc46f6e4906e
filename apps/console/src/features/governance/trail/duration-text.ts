/** '1,203 ms', '0.42 ms'; '–' where nothing was measured. */
export const durationText = (ms: number | null): string =>
  ms === null ? '–' : `${ms.toLocaleString('en', { maximumFractionDigits: ms < 10 ? 2 : 0 })} ms`;
