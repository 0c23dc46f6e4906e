import type { Client } from '@paddock/client';
import type { AuditLog, DataSubjectRequest } from '@paddock/contract';
import { countToErase, needsCount } from '@paddock/contract/erasure-counts';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { dayMs, iso } from '@paddock/contract/time';
import { answer } from '../../../demo/answering.ts';
import type { DemoWorld } from '../../../demo/demo-world.ts';
import { freshId, sampleId } from '../../../demo/ids.ts';
import { allPrices } from '../../traces/demo/prices.ts';
import { sampleTraces } from '../../traces/demo/samples.ts';
import { buildTrace } from '../../traces/demo/spans.ts';

type Place = DataSubjectRequest['places'][number];
type Example = Place['examples'][number];

const queuedMs = 1_000;
const doneMs = 3_000;
const maxExamples = 20;
const person = { id: 'usr_demo', at: '2026-01-05T09:00:00.000Z', text: 'Demo User demo@paddock.dev' };

/** Data subject requests of the demo. They search its samples, and an erasure lasts until reload. */
export function demoDataSubjects(world: DemoWorld, records: AuditLog[]): Client<typeof contract>['dataSubjects'] {
  const done = searching(world, records);
  const finish = (request: DataSubjectRequest, texts: readonly string[], at: number) => {
    Object.assign(request, { status: 'completed', finished_at: iso(at), places: done(request.kind, texts) });
    if (request.kind === 'erase') request.certificate = buildCertificate(request);
  };
  const waiting = new Map<string, string[]>();
  /** Brings a request to the state that it should have by now. */
  const upToDate = (request: DataSubjectRequest) => {
    const texts = waiting.get(request.id);
    const ms = Date.now() - Date.parse(request.created_at);
    if (texts && ms >= doneMs) {
      waiting.delete(request.id);
      finish(request, texts, Date.now());
    } else if (texts && ms >= queuedMs) request.status = 'running';
    return request;
  };

  const now = Date.now();
  const sample = made({ id: sampleId('dsr', 1), kind: 'find', reference: 'TICKET-1042' }, now - 3 * dayMs);
  let requests = [sample];
  const add = (kind: DataSubjectRequest['kind'], identifiers: readonly string[], reference: string) => {
    const texts = identifiers.map((text) => text.trim().toLowerCase());
    const request = made({ id: freshId('dsr'), kind, reference: without(reference, texts) }, Date.now());
    waiting.set(request.id, texts);
    requests = [request, ...requests];
    return request;
  };
  let isSampleDone = false;
  const shown = () => {
    // Run the sample's search on first use and not at startup: it takes a moment.
    if (!isSampleDone) finish(sample, ['203.0.113.42', '[email]'], now - 3 * dayMs + doneMs);
    isSampleDone = true;
    return requests.map(upToDate);
  };
  return {
    list: (_input, options) => answer(() => ({ requests: shown() }), options),
    get: ({ id }, options) =>
      answer(() => {
        const found = shown().find((request) => request.id === id);
        if (!found) throw new ApiError('data_subject_request_not_found');
        return found;
      }, options),
    create: ({ kind, identifiers, reference = '' }, options) => answer(() => add(kind, identifiers, reference), options),
    erase: ({ id, identifiers, reference = '', confirmed_count }, options) =>
      answer(() => {
        const preview = shown().find((request) => request.id === id);
        if (!preview) throw new ApiError('data_subject_request_not_found');
        if (preview.status !== 'completed') throw new ApiError('data_subject_preview_missing');
        if (needsCount(preview.places) && confirmed_count !== countToErase(preview.places))
          throw new ApiError('data_subject_count_unconfirmed');
        return add('erase', identifiers, reference);
      }, options),
  };
}

/** Finds texts in the samples, and erases the data that can be erased. */
const searching = (world: DemoWorld, records: AuditLog[]) =>
  function done(kind: DataSubjectRequest['kind'], texts: readonly string[]): Place[] {
    const has = (...values: unknown[]) => {
      const text = JSON.stringify(values).toLowerCase();
      return texts.some((each) => text.includes(each));
    };
    const named = records.filter(
      ({ is_erased, input_data, output_data, metadata, actor }) => !is_erased && has(input_data, output_data, metadata, actor.name),
    );
    const facts = records.filter(({ action, agent_name }) => has(action, agent_name));
    const lines = world.deployments.flatMap(({ row, lines: all }) =>
      all.filter(({ message }) => has(message)).map((line) => ({ line, example: { id: `${row.id}:${line.number}`, at: line.created_at } })),
    );
    const prices = allPrices(world.modelPrices).model_prices;
    const drawnTraces = world.deployments.filter(({ row }) => row.is_current).flatMap(({ row }) => sampleTraces(row, Date.now()));
    const traces = drawnTraces
      .filter((drawn) => has(buildTrace(drawn, prices).spans))
      .map(({ trace_id, at }) => ({ id: trace_id, at: new Date(at).toISOString() }));
    const recorded = ({ id, timestamp }: AuditLog): Example => ({ id, at: timestamp });
    const places = [
      buildPlace('records', named.map(recorded), records.length),
      buildPlace('facts', facts.map(recorded)),
      buildPlace(
        'logs',
        lines.map(({ example }) => example),
        world.deployments.reduce((sum, { lines: all }) => sum + all.length, 0),
      ),
      buildPlace('traces', traces, drawnTraces.length),
      buildPlace('accounts', has(person.text) ? [person] : []),
    ];
    if (kind === 'find') return places;
    for (const record of named)
      Object.assign(record, {
        is_erased: true,
        input_data: null,
        output_data: null,
        metadata: { ip_address: null, user_agent: null, request_id: null },
      });
    for (const { line } of lines) line.message = without(line.message, texts);
    // Sample traces are generated on each read, so they cannot be erased.
    return places.map((place) => ({ ...place, erased: place.place === 'records' || place.place === 'logs' ? place.found : 0 }));
  };

const made = (given: Pick<DataSubjectRequest, 'id' | 'kind' | 'reference'>, at: number): DataSubjectRequest => ({
  ...given,
  status: 'queued',
  created_at: iso(at),
  due_at: iso(at + 30 * dayMs),
  finished_at: null,
  places: [],
  certificate: null,
  error: null,
});

const buildPlace = (place: Place['place'], all: readonly Example[], total: number | null = null): Place => ({
  place,
  total,
  found: all.length,
  erased: 0,
  examples: all.slice(0, maxExamples).map(({ id, at }) => ({ id, at })),
});

const without = (text: string, values: readonly string[]) =>
  values.reduce((left, value) => {
    const parts = left.toLowerCase().split(value);
    let at = 0;
    return parts
      .map((part) => {
        const piece = left.slice(at, at + part.length);
        at += part.length + value.length;
        return piece;
      })
      .join('[ERASED]');
  }, text);

/** A certificate in the real format. It states that it comes from the demo and is not signed. */
const buildCertificate = ({ id, created_at, finished_at, places }: DataSubjectRequest) =>
  JSON.stringify({
    demo: 'Made by the demo, and not signed.',
    request_id: id,
    requested_at: created_at,
    finished_at,
    places: places.map(({ place, found, erased }) => ({ place, found, erased, left: found - erased })),
  });
