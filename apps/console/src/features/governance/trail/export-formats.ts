/** The export formats. */
export const exportFormats = {
  json: {
    label: 'JSON',
    hint: 'One document with all records and the signed checkpoints: “paddock audit verify FILE” checks it without a server.',
    ending: 'json',
    type: 'application/json',
  },
  jsonl: {
    label: 'JSON Lines',
    hint: 'One record a line, for large trails; it can be verified like JSON.',
    ending: 'jsonl',
    type: 'application/x-ndjson',
  },
  csv: { label: 'CSV', hint: 'For spreadsheets.', ending: 'csv', type: 'text/csv' },
  ocsf: {
    label: 'OCSF',
    hint: 'Events of the Open Cybersecurity Schema Framework, one a line, for a SIEM.',
    ending: 'ocsf.jsonl',
    type: 'application/x-ndjson',
  },
} as const;
export type ExportFormat = keyof typeof exportFormats;

/** A moment as part of a file name that every file system accepts: 2026-11-23T10-04-15-120Z. */
export const fileTime = (at: Date) => at.toISOString().replaceAll(/[:.]/g, '-');
