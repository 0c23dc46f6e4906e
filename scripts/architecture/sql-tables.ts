// The tables of the SQL in a source, by the words before their names.

/** `for update` and `do update` do not match. */
const WRITES = /\b(?:insert\s+into|delete\s+from|(?<!(?:for|do)\s)update)\s+([a-z_]+)(?=[\s(`])/g;
const READS = /\b(?:from|join|using)\s+(?:only\s+)?([a-z_]+)(?=[\s(),`;])/g;

const tablesBy = (pattern: RegExp) => (text: string) => [...new Set([...text.matchAll(pattern)].map(([, table = '']) => table))];

export const writtenTables = tablesBy(WRITES);
/** Names behind `from`, `join` and `using`: tables, and words that are none. */
export const readTables = tablesBy(READS);
