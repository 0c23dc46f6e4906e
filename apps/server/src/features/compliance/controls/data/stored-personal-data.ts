import type { PiiType } from '@paddock/pii/types';
import type { Masking } from '../../../../protection/masking.ts';
import { startScanner } from '../../../../protection/scanner/start.ts';
import { clausesBut } from '../../clause-limits.ts';
import type { Control, ControlFinding, ControlResult, Problem } from '../../control.ts';
import type { ControlDeps } from '../../control-deps.ts';
import { count, failed, passed, type Subject, unverified } from '../../finding.ts';
import { type StoredText, sampleStore } from './sample-store.ts';

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
  const store = sampleStore(sql);
  const scanner = startScanner({ waitMs });
  return {
    id: 'PII-02',
    of: 'team',
    async check(team_id, signal) {
      const drawn = await Promise.all([store.payloads(team_id, maxTexts), store.lines(team_id, maxTexts), store.spans(team_id, maxTexts)]);
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
      return told(texts.length, scanned);
    },
  };
}

/** Counts the placeholders that the mask wrote. */
const placesIn = (text: string, mask: string) => text.split(mask).length - 1;

function told(drawn: number, scanned: readonly Scanned[]): ControlResult {
  const of = (source: StoredText['source']) => scanned.filter(({ text }) => text.source === source).length;
  const looked_at = `${count(scanned.length, 'stored text')} by chance: ${of('audit')} ${names.audit}, ${of('log')} ${names.log}, ${of('span')} ${names.span}.`;
  if (drawn === 0) return { looked_at: 'Nothing is stored yet that could hold a card number.', resources: [] };
  if (scanned.length === 0) {
    const fix = { text: 'Check again when the server has less to do.' };
    return { looked_at, resources: [unverified(teamTexts, 'There was no time to scan any of the texts.', { fix })] };
  }
  const hits = scanned.filter(({ cards, numbers }) => cards > 0 || numbers > 0);
  const evidence = { audit: of('audit'), log: of('log'), span: of('span'), types };
  if (hits.length === 0) {
    const finding = `In ${count(scanned.length, 'text')} there is no card number with a right check digit and no social security number.`;
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
    `${count(texts, 'stored text')} by chance (${sources}) ${texts === 1 ? 'holds' : 'hold'} a ${kind} number as it is.`;
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
