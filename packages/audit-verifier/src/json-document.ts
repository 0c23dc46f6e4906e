import type { Json, JsonObject } from './canonical.ts';
import { Malformed, Unusable } from './failures.ts';
import { createFieldReader, exactly } from './fields.ts';
import { parseLine } from './parse-line.ts';

const begin = '{"header":';
const beforeLogs = ',"logs":[';
const beforeLines = '],"lines":[';
const beforeEnd = '],"end":';

export const isDocument = (firstLine: Buffer) => firstLine.subarray(0, begin.length).toString('latin1') === begin;

/**
 * Reads a JSON export line by line and returns the lines of the equivalent JSON Lines export. `read` throws `Malformed`. A reformatted
 * document is `Unusable`, since reformatting alone does not mean that it was changed.
 */
export function createDocumentReader() {
  let place: 'header' | 'logs' | 'lines of a record' | 'lines of the end' | 'over' = 'header';
  let teamId: Json = null;
  /** Records of which the document shows the remains of an erasure, which are not signed. */
  let remains = 0;
  /** The record whose lines are being read. */
  let record: JsonObject | undefined;
  const [records, ownLines] = [commas(), commas()];

  return { read, remains: () => remains };

  function read(line: Buffer): JsonObject[] {
    const text = line.toString('latin1');
    if (place === 'header') return readOpening(line, text);
    if (place === 'over') throw new Malformed('There are lines behind the last one.');
    if (place === 'logs') return text.startsWith(']') ? readTail(line, text) : readEntry(line, text);
    if (!text.startsWith(']')) return [checkpointOrRemoval(parseLine(ownLines.item(line)))];
    ownLines.close();
    return place === 'lines of the end' ? readEnd(line, text) : closeEntry(text);
  }

  function readOpening(line: Buffer, text: string): JsonObject[] {
    if (!text.endsWith(beforeLogs))
      throw new Unusable(
        'The document is not laid out as it was exported, so that nothing can be said of it. Verify the file as it was downloaded.',
      );
    const header = parseLine(line.subarray(begin.length, -beforeLogs.length));
    [place, teamId] = ['logs', header['team_id'] ?? null];
    return [header];
  }

  function readEntry(line: Buffer, text: string): JsonObject[] {
    const isOpen = text.endsWith('[');
    const whole = isOpen ? Buffer.concat([line, Buffer.from(']}}')]) : records.item(line);
    const entry = parseLine(whole);
    record = toRecordLine(entry, teamId);
    if (showsRemains(entry)) remains += 1;
    if (!isOpen) return [record];
    place = 'lines of a record';
    return [];
  }

  function closeEntry(text: string): JsonObject[] {
    if (!record || records.item(Buffer.from(text, 'latin1')).toString() !== ']}}')
      throw new Malformed('The lines of a record do not end as in the format.');
    place = 'logs';
    return [record];
  }

  function readTail(line: Buffer, text: string): JsonObject[] {
    records.close();
    if (text === beforeLines) {
      place = 'lines of the end';
      return [];
    }
    if (!text.startsWith(beforeLines)) throw new Malformed('The end of the document is none of the format.');
    return readEnd(line.subarray(beforeLines.length), text.slice(beforeLines.length));
  }

  function readEnd(line: Buffer, text: string): JsonObject[] {
    if (!text.startsWith(beforeEnd) || !text.endsWith('}')) throw new Malformed('The end of the document is none of the format.');
    const end = parseLine(line.subarray(beforeEnd.length, -1));
    if (end['type'] !== 'end') throw new Malformed('The end of the document is none of the format.');
    place = 'over';
    return [end];
  }
}

/** Checks that the items of a list, one a line, are separated by commas. Other readers could not parse the document without them. */
function commas() {
  let isFollowed: boolean | undefined;
  return {
    /** The item without its comma. */
    item(line: Buffer): Buffer {
      if (isFollowed === false) throw new Malformed('A comma is missing between two lines.');
      isFollowed = line.at(-1) === 0x2c;
      return isFollowed ? line.subarray(0, -1) : line;
    },
    close() {
      if (isFollowed) throw new Malformed('A comma stands behind the last line of a list.');
      isFollowed = undefined;
    },
  };
}

function checkpointOrRemoval(line: JsonObject): JsonObject {
  if (line['type'] !== 'checkpoint' && line['type'] !== 'removal')
    throw new Malformed('"lines" of the document has something else than checkpoints and removals.');
  return line;
}

const entryNames = [
  ...['id', 'seq', 'timestamp', 'agent_id', 'agent_name', 'action_type', 'action', 'actor', 'targets', 'input_data', 'output_data'],
  ...['duration_ms', 'status', 'trace_id', 'metadata', 'pii', 'recorded_at', 'is_erased', 'hash', 'chain'],
];

/** The line of a record from its API form in the document. Everything shown there is hashed, except the remains of an erasure. */
function toRecordLine(entry: JsonObject, teamId: Json): JsonObject {
  exactly(entry, Object.hasOwn(entry, 'user_id') ? [...entryNames, 'user_id'] : entryNames, 'record');
  const fields = createFieldReader(entry, 'record');
  const [actor, metadata, chain] = [fields.object('actor'), fields.object('metadata'), fields.object('chain')];
  exactly(actor, ['type', 'id', 'name'], 'actor');
  exactly(metadata, ['ip_address', 'user_agent', 'request_id'], 'metadata');
  const { lines, ...proven } = chain;
  if (!Array.isArray(lines) || lines.length > 0) throw new Malformed('"lines" of the record does not stand on lines of its own.');
  const names = entryNames.filter((name) => isFact(name));
  return {
    ...Object.fromEntries(names.map((name) => [name, entry[name] as Json])),
    ...proven,
    type: 'record',
    team_id: teamId,
    actor_type: actor['type'] as Json,
    actor_id: actor['id'] as Json,
    request_id: metadata['request_id'] as Json,
    payload: fields.boolean('is_erased') ? null : toPayload(entry, { actor, metadata }),
  };
}

function showsRemains(entry: JsonObject): boolean {
  if (entry['is_erased'] !== true) return false;
  const { actor, metadata, pii, input_data, output_data, targets } = entry;
  const { ip_address, user_agent } = metadata as JsonObject;
  if (ip_address !== null || user_agent !== null || pii !== null)
    throw new Malformed('The payload of the record is said to be removed, and parts of it are there.');
  const hasNames = Array.isArray(targets) && targets.some((target) => (target as JsonObject | null)?.['name'] !== null);
  return (
    hasNames || (actor as JsonObject)['name'] !== null || input_data !== null || output_data !== null || entry['user_id'] !== undefined
  );
}

/** Whether the record's line has the field under the same name. */
const isFact = (name: string) => !['actor', 'targets', 'input_data', 'output_data', 'metadata', 'pii', 'is_erased', 'chain'].includes(name);

const toPayload = (entry: JsonObject, { actor, metadata }: { actor: JsonObject; metadata: JsonObject }): JsonObject => ({
  actor_name: actor['name'] as Json,
  input_data: entry['input_data'] as Json,
  output_data: entry['output_data'] as Json,
  metadata: { ip_address: metadata['ip_address'] as Json, user_agent: metadata['user_agent'] as Json },
  pii: entry['pii'] as Json,
  targets: entry['targets'] as Json,
  user_id: entry['user_id'] ?? null,
});
