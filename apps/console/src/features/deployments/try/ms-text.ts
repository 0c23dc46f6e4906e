/** '8 ms', '1.2 s'. */
export const msText = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);
