import type { JsonObject } from './canonical.ts';
import { Broken, Malformed, Unusable } from './failures.ts';
import { createDocumentReader, isDocument } from './json-document.ts';
import { givenKey, type PublicKey } from './keys.ts';
import { lineBatches } from './lines.ts';
import { type Findings, openExport } from './open-export.ts';
import { parseLine } from './parse-line.ts';

export interface Question {
  /** An export in JSON or JSON lines, also packed with gzip. */
  file: string;
  /** Files with checkpoints that were kept elsewhere. */
  checkpoints?: readonly string[] | undefined;
  /** The public key from another source than the export: 32 bytes in base64url, or a file with them. */
  key?: string | undefined;
  onProgress?: ((progress: { records: number; bytes: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

interface FirstBad {
  /** The first record that is bad or not proven. */
  seq: number;
  id: string | null;
  reason: string;
  /** The line of the export; null if the error is in another file. */
  line: number | null;
}

export interface Answer {
  verdict: 'valid' | 'broken' | 'unproven';
  /** Records that were read. */
  records: number;
  /** The records whose payload was removed. */
  erased: number;
  first_bad?: FirstBad;
  from_seq: number | null;
  /** The last record that a signed checkpoint covers; 0 if there is none. */
  covered_to: number;
  /** The last record that was read. */
  head_seq: number;
  is_filtered: boolean;
  key_id: string | null;
  /** The source of the key: it was given, it belongs to the kept checkpoints, or the export names it. */
  key_source: 'given' | 'checkpoints' | 'export';
  note?: string;
}

/**
 * Checks an export in one pass and in constant memory. Any content of the files leads to an answer. Throws `Unusable` if a file or a key
 * cannot be read or if the file is an export in a format without signatures, and the signal's reason when it aborts.
 */
export async function verifyExport({ file, checkpoints = [], key: keyText, onProgress, signal }: Question): Promise<Answer> {
  const key = keyText === undefined ? undefined : givenKey(keyText);
  const log = openExport({ checkpointFiles: checkpoints, key, signal });
  let document: ReturnType<typeof createDocumentReader> | undefined;
  let [line, bytes] = [0, 0];
  try {
    for await (const batch of lineBatches(file, { signal, onBytes: (read) => (bytes = read) })) {
      for (const text of batch) {
        line += 1;
        if (line === 1) {
          refuseOtherFormat(text);
          if (isDocument(text)) document = createDocumentReader();
        }
        for (const read of toLineReaders(text, document)) await log.accept(read);
      }
      onProgress?.({ records: log.found.records, bytes });
    }
    log.end();
    return answer({ ...log.found, remains: document?.remains() ?? 0 }, key);
  } catch (error) {
    const first_bad = firstBad(error, { line, found: log.found });
    if (!first_bad) throw error;
    return { ...answer({ ...log.found, remains: document?.remains() ?? 0 }, key), verdict: 'broken', first_bad };
  } finally {
    await log.close();
  }
}

/** The JSON Lines that a line of the file represents. */
function toLineReaders(text: Buffer, document: ReturnType<typeof createDocumentReader> | undefined): (() => JsonObject)[] {
  if (!document) return [() => parseLine(text)];
  try {
    return document.read(text).map((line) => () => line);
  } catch (error) {
    return [
      () => {
        throw error;
      },
    ];
  }
}

/** The beginnings of files that do not contain the signatures and all facts of a record, and their formats. They cannot be verified. */
const otherFormats: [begin: string, what: string][] = [
  ['{"logs":[', 'JSON that an older Paddock or the demo made'],
  ['timestamp,seq,id,', 'CSV'],
  ['{"class_uid":', 'OCSF'],
];

function refuseOtherFormat(line: Buffer): void {
  const what = otherFormats.find(([begin]) => line.subarray(0, begin.length).toString('latin1') === begin)?.[1];
  if (what !== undefined)
    throw new Unusable(
      `The file is an export in ${what}, which has no signatures: nothing can be said of it. Export it as JSON or JSON Lines, and verify that file.`,
    );
}

function firstBad(error: unknown, { line, found }: { line: number; found: Findings }): FirstBad | undefined {
  if (error instanceof Broken)
    return { seq: error.seq, id: error.id ?? found.follower?.idOf(error.seq) ?? null, reason: error.message, line };
  // The line reader fails before the line is available.
  if (error instanceof Malformed) return { seq: (found.follower?.last().seq ?? 0) + 1, id: null, reason: error.message, line: line + 1 };
  return undefined;
}

function answer(
  { header, records, erased, keptCheckpoints, follower, remains }: Findings & { remains: number },
  given: PublicKey | undefined,
): Answer {
  const key_source = resolveSource(given !== undefined, keptCheckpoints);
  const hasUnlisted = erased > 0 && header?.listsRemovals === false;
  const note = formatNotes({ key_source, hasUnlisted, remains, isFiltered: header?.isFiltered === true, fromSeq: header?.fromSeq ?? 1 });
  return {
    verdict: follower?.isUnproven() === false && !hasUnlisted ? 'valid' : 'unproven',
    records,
    erased,
    from_seq: header?.fromSeq ?? null,
    covered_to: follower?.coveredTo() ?? 0,
    head_seq: follower?.headSeq() ?? 0,
    is_filtered: header?.isFiltered === true,
    key_id: (given ?? header?.key)?.id ?? null,
    key_source,
    ...(note === '' ? {} : { note }),
  };
}

function resolveSource(hasKey: boolean, keptCheckpoints: number): Answer['key_source'] {
  if (hasKey) return 'given';
  return keptCheckpoints > 0 ? 'checkpoints' : 'export';
}

interface Noted {
  key_source: Answer['key_source'];
  hasUnlisted: boolean;
  /** Records of which the file shows the remains of an erasure. */
  remains: number;
  isFiltered: boolean;
  fromSeq: number;
}

function formatNotes({ key_source, hasUnlisted, remains, isFiltered, fromSeq }: Noted): string {
  const notes = [];
  if (key_source === 'export')
    notes.push(
      'The key is the one that the export names itself: that proves nothing against somebody who can sign anew. Give the key, or checkpoints that were kept elsewhere.',
    );
  if (hasUnlisted) notes.push('Payloads are missing, and an export of version 1 does not list lawful removals: export anew.');
  if (remains > 0) notes.push(`The names and texts that an erasure left of ${remains} records are not signed.`);
  if (isFiltered) notes.push('The export is filtered: that no record was left out cannot be told.');
  else if (fromSeq > 1) notes.push(`The records before ${fromSeq} are not in the export.`);
  return notes.join(' ');
}
