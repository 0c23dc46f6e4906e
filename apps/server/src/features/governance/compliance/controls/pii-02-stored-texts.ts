import { randomBytes } from 'node:crypto';
import { plural } from '@paddock/contract/plural';
import type { PiiType } from '@paddock/pii/types';
import type { Sql } from '../../../../db/connect.ts';
import type { Masking } from '../../../../protection/masking.ts';
import { startScanner } from '../../../../protection/scanner/start.ts';
import { clausesBut } from '../clause-limits.ts';
import type { Control, ControlFinding, ControlResult, Problem } from '../control.ts';
import type { ControlDeps } from '../control-deps.ts';
import { failed, passed, type Subject, unverified } from '../finding.ts';

/** Longer texts are cut, and the rest is not scanned. */
const maxTextLength = 32 * 1024;
const maxDeployments = 200;
/** Texts per source. */
const maxTexts = 500;
/** Time budget of the thread's own work, for all texts. */
const budgetMs = 3_000;
const waitMs = 20_000;
const together = 100;
/** Types that must never be stored unmasked, whatever a project's settings. */
const types: PiiType[] = ['Credit Card', 'SSN'];
/** PCI DSS concerns only cards. */
const notOfCards = clausesBut('PII-02', 'pci-dss');

const names = { audit: 'payloads of the audit trail', log: 'log lines', span: 'spans' } as const;

interface Scanned {
  text: StoredText;
  cards: number;
  numbers: number;
}

/** PII-02: a random sample of stored texts contains no card number with a valid check digit and no social security number. */
export function storedTextControl({ sql }: Pick<ControlDeps, 'sql'>): Control {
  const scanner = startScanner({ waitMs });
  return {
    id: 'PII-02',
    of: 'team',
    async check(team_id, signal) {
      const drawn = await Promise.all([
        samplePayloads(sql, team_id, maxTexts),
        sampleLines(sql, team_id, maxTexts),
        sampleSpans(sql, team_id, maxTexts),
      ]);
      const texts = shuffled(drawn.flat());
      const scanned: Scanned[] = [];
      const masking: Masking = { types, tokenised: [], key: new Uint8Array() };
      const end = performance.now() + budgetMs;
      for (let at = 0; at < texts.length && performance.now() < end; at += together) {
        signal.throwIfAborted();
        const some = texts.slice(at, at + together);
        const left = Math.max(1, end - performance.now());
        const masked = await scanner.mask({ texts: some.map(({ text }) => text), masking, budgetMs: left });
        for (const [index, text] of some.entries()) {
          const after = masked.texts[index];
          if (after !== null && after !== undefined) {
            const added = (mask: string) => placesIn(after, mask) - placesIn(text.text, mask);
            scanned.push({ text, cards: added('[CREDIT_CARD]'), numbers: added('[SSN]') });
          }
        }
      }
      return judge(texts.length, scanned);
    },
  };
}

/** Counts the placeholders that the mask wrote. */
const placesIn = (text: string, mask: string) => text.split(mask).length - 1;

function judge(drawn: number, scanned: readonly Scanned[]): ControlResult {
  const of = (source: StoredText['source']) => scanned.filter(({ text }) => text.source === source).length;
  const looked_at = `${plural(scanned.length, 'stored text')} by chance: ${of('audit')} ${names.audit}, ${of('log')} ${names.log}, ${of('span')} ${names.span}.`;
  if (drawn === 0) return { looked_at: 'Nothing is stored yet that could hold a card number.', resources: [] };
  if (scanned.length === 0) {
    const fix = { text: 'Check again when the server has less to do.' };
    return { looked_at, resources: [unverified(teamTexts, 'There was no time to scan any of the texts.', { fix })] };
  }
  const hits = scanned.filter(({ cards, numbers }) => cards > 0 || numbers > 0);
  const evidence = { audit: of('audit'), log: of('log'), span: of('span'), types };
  if (hits.length === 0) {
    const finding = `In ${plural(scanned.length, 'text')} there is no card number with a right check digit and no social security number.`;
    return { looked_at, resources: [passed(teamTexts, finding, evidence)] };
  }
  const bySubject = Map.groupBy(hits, ({ text }) => text.project_id ?? 'none');
  return { looked_at, resources: [...bySubject.values()].map(ofProject) };
}

const teamTexts: Subject = { type: 'team', id: 'stored-texts', name: 'Stored texts' };

function ofProject(hits: readonly Scanned[]): ControlFinding {
  const [first] = hits;
  const { project_id, project_name } = first!.text;
  const subject: Subject = project_id === null ? teamTexts : { type: 'project', id: project_id, name: project_name };
  const sources = [...new Set(hits.map(({ text }) => names[text.source]))].join(' and ');
  // Locations only, never any content.
  const places = hits.slice(0, 20).map(({ text: { source, place, deployment_id } }) => ({ source, place, deployment_id }));
  const path = project_id === null ? '/governance?tab=data-governance' : `/settings?tab=data-protection&project=${project_id}`;
  const withCards = hits.filter(({ cards }) => cards > 0).length;
  const withNumbers = hits.filter(({ numbers }) => numbers > 0).length;
  const sentence = (texts: number, kind: string) =>
    `${plural(texts, 'stored text')} by chance (${sources}) ${texts === 1 ? 'holds' : 'hold'} a ${kind} number as it is.`;
  const problems: Problem[] = [
    ...(withCards > 0 ? [{ finding: sentence(withCards, 'card'), clauses: null }] : []),
    ...(withNumbers > 0 ? [{ finding: sentence(withNumbers, 'social security'), clauses: notOfCards }] : []),
  ];
  const fix = {
    text: 'Redact bodies, spans and log lines of the project, have the agent print no such values, and erase what is stored or wait for its retention.',
    path,
  };
  return failed(subject, problems, { evidence: { texts: hits.length, places }, fix });
}

function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** A stored text of untrusted origin. */
interface StoredText {
  source: 'audit' | 'log' | 'span';
  project_id: string | null;
  project_name: string | null;
  /** Its location: a number of the trail, a line, a trace. */
  place: string;
  deployment_id: string | null;
  text: string;
}

/** Random texts are found by row keys, so that large tables cost no more than small ones. */
async function samplePayloads(sql: Sql, team_id: string, limit: number): Promise<StoredText[]> {
  const [ends] = await sql<[{ first: number | null; last: number | null }]>`
    select
      (
        select p.seq
        from audit_payloads p
        where p.team_id = ${team_id}
        order by p.seq
        limit 1
      )::float8 as first,
      (
        select p.seq
        from audit_payloads p
        where p.team_id = ${team_id}
        order by p.seq desc
        limit 1
      )::float8 as last`;
  if (ends.first === null || ends.last === null) return [];
  const numbers = await numbersBetween(sql, { first: ends.first, last: ends.last }, limit);
  // Row by row: a plan for all rows at once may read the whole table.
  return sql<StoredText[]>`
    select
      'audit' as source, r.agent_id as project_id, r.agent_name as project_name, p.seq::text as place, null as deployment_id, p.body as text
    from unnest(${numbers}::bigint[]) as drawn (seq)
    cross join lateral (
      select x.seq, left(x.body, ${maxTextLength}) as body
      from audit_payloads x
      where x.team_id = ${team_id}
        and x.seq = drawn.seq
      limit 1
    ) p
    cross join lateral (
      select y.agent_id, y.agent_name
      from audit_records y
      where y.team_id = ${team_id}
        and y.seq = drawn.seq
      limit 1
    ) r`;
}

/** Random lines of random deployments. */
const sampleLines = (sql: Sql, team_id: string, limit: number) => sql<StoredText[]>`
  with heads as (
    select h.deployment_id, h.last_number
    from log_heads h
    where h.team_id = ${team_id}
      and h.last_number > 0
    order by random()
    limit ${maxDeployments}
  ),
  weighed as (
    select deployment_id, last_number, ceil(${limit}::float8 / count(*) over ())::int as wanted
    from heads
  ),
  drawn as (
    select distinct w.deployment_id, greatest(1, ceil(random() * w.last_number))::bigint as number
    from weighed w
    cross join lateral generate_series(1, w.wanted * 2) as turn
  )
  select
    'log' as source, d.project_id, p.name as project_name, w.number::text as place, w.deployment_id, l.message as text
  from drawn w
  join deployments d on d.id = w.deployment_id
  join projects p on p.id = d.project_id
  cross join lateral (
    select left(x.message, ${maxTextLength}) as message
    from log_lines x
    where x.deployment_id = w.deployment_id
      and x.number = w.number
      and x.team_id = ${team_id}
    limit 1
  ) l
  limit ${limit}`;

/** Random numbers without duplicates. */
async function numbersBetween(sql: Sql, { first, last }: { first: number; last: number }, limit: number): Promise<number[]> {
  const rows = await sql<{ n: number }[]>`
    select distinct (${first} + floor(random() * (${last}::float8 - ${first}::float8 + 1)))::bigint as n
    from generate_series(1, ${Math.min(limit, last - first + 1) * 2}::int)
    limit ${limit}`;
  return rows.map(({ n }) => n);
}

/** The spans that follow a random trace id, of random deployments. */
function sampleSpans(sql: Sql, team_id: string, limit: number): Promise<StoredText[]> {
  const from = randomBytes(16).toString('hex');
  return sql<StoredText[]>`
    with chosen as (
      select d.id, d.project_id, ceil(${limit}::float8 / count(*) over ())::int as wanted
      from deployments d
      where d.team_id = ${team_id}
        and exists (
          select 1
          from traces t
          where t.deployment_id = d.id
        )
      order by random()
      limit ${maxDeployments}
    )
    select
      'span' as source, s.project_id, p.name as project_name, f.trace_id || '/' || f.span_id as place, s.id as deployment_id,
      left(concat_ws(chr(10), f.name, f.status_message, f.attributes::text, f.events::text), ${maxTextLength}) as text
    from chosen s
    join projects p on p.id = s.project_id
    cross join lateral (
      (
        select *
        from spans x
        where x.deployment_id = s.id
          and x.trace_id >= ${from}
        order by x.trace_id
        limit s.wanted
      )
      union all
      (
        select *
        from spans x
        where x.deployment_id = s.id
          and x.trace_id < ${from}
        order by x.trace_id desc
        limit s.wanted
      )
    ) f
    limit ${limit}`;
}
