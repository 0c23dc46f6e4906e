type Fields = { [name: string]: unknown };

/** The lines of a JSON export with the same content as these JSON Lines, in the layout of docs/audit-format.md. */
export function asDocument(lines: readonly string[]): string[] {
  const [header, ...others] = lines;
  const end = others.pop();
  const document = [`{"header":${header},"logs":[`];
  let waiting: string[] = [];
  const flushed = () => {
    const own = waiting.map((line, index) => (index < waiting.length - 1 ? `${line},` : line));
    waiting = [];
    return own;
  };
  const entries: string[][] = [];
  for (const line of others) {
    const value = JSON.parse(line) as Fields;
    if (value['type'] !== 'record') {
      waiting.push(line);
      continue;
    }
    const text = JSON.stringify(shownRecord(value));
    const own = flushed();
    entries.push(own.length === 0 ? [text] : [text.slice(0, -3), ...own, ']}}']);
  }
  for (const [index, entry] of entries.entries()) {
    const isLast = index === entries.length - 1;
    document.push(...entry.slice(0, -1), `${entry.at(-1)}${isLast ? '' : ','}`);
  }
  const own = flushed();
  if (own.length > 0) return [...document, '],"lines":[', ...own, `],"end":${end}}`];
  return [...document, `],"lines":[],"end":${end}}`];
}

/** A record in the API's form, with the remaining fields of its line as `chain`. */
function shownRecord(line: Fields): Fields {
  const payload = line['payload'] as Fields | null;
  const { ip_address = null, user_agent = null } = (payload?.['metadata'] ?? {}) as Fields;
  const take = (...names: string[]) => Object.fromEntries(names.filter((name) => name in line).map((name) => [name, line[name]]));
  return {
    ...take(
      'id',
      'seq',
      'timestamp',
      'agent_id',
      'agent_name',
      'action_type',
      'action',
      'duration_ms',
      'status',
      'trace_id',
      'recorded_at',
    ),
    ...(payload?.['user_id'] ? { user_id: payload['user_id'] } : {}),
    actor: { type: line['actor_type'], id: line['actor_id'], name: payload?.['actor_name'] ?? null },
    targets: payload?.['targets'] ?? [],
    input_data: payload?.['input_data'] ?? null,
    output_data: payload?.['output_data'] ?? null,
    metadata: { ip_address, user_agent, request_id: line['request_id'] },
    pii: payload?.['pii'] ?? null,
    is_erased: payload === null,
    hash: line['hash'],
    chain: { ...take('v', 'target_type', 'target_id', 'payload_hash', 'salt', 'proof'), lines: [] },
  };
}
