import { isDeepStrictEqual } from 'node:util';
import { minuteMs } from '@paddock/contract/time';
import { type Account, type Document, newAccount, type Outcome, type ProviderCommand } from '../../src/account.ts';
import { classifyEvent } from '../../src/classify.ts';
import { nextDeadline } from '../../src/deadlines.ts';
import { type BillingEvent, idempotencyKeys } from '../../src/events.ts';
import type { Entry } from '../../src/ledger.ts';
import type { Instant } from '../../src/period.ts';
import { step } from '../../src/step.ts';
import { transitionFor } from '../../src/transitions.ts';
import type { Chance } from './chance.ts';
import type { Clock } from './clock.ts';

export const taxBasisPoints = 1_900;

type Deps = {
  random: Chance;
  clock: Clock;
  take: (team_id: string, order: ProviderCommand) => void;
  /** No later timer is set. */
  timersUntil: Instant;
  noted: (before: Account, after: Account, event: BillingEvent) => void;
};

/**
 * The server around the arithmetic: it writes all of an outcome or nothing, delivers orders until they are accepted, and crashes at any
 * point.
 */
export function server({ random, clock, take, timersUntil, noted }: Deps) {
  const accounts = new Map<string, Account>();
  const keys = new Set<string>();
  const documents: (Document & { number: number })[] = [];
  const entries: Entry[] = [];
  const outbox = new Map<string, ProviderCommand[]>();
  const answersSeen = new Set<string>();
  let crashes = 0;

  const dies = () => random.happens(0.03) && ++crashes > 0;
  const accountOf = (team_id: string) => accounts.get(team_id) ?? newAccount(team_id);

  const commit = (team_id: string, event: BillingEvent, outcome: Outcome) => {
    const before = accountOf(team_id);
    for (const key of idempotencyKeys(event)) keys.add(`${team_id} ${key}`);
    accounts.set(team_id, outcome.account);
    for (const document of outcome.documents) documents.push({ ...document, number: documents.length + 1 });
    entries.push(...outcome.entries);
    outbox.set(team_id, [...(outbox.get(team_id) ?? []), ...outcome.commands]);
    noted(before, outcome.account, event);
  };
  const handOver = (team_id: string) => {
    const waiting = outbox.get(team_id) ?? [];
    while (waiting.length > 0) {
      if (dies()) return clock.at(clock.now() + minuteMs, () => handOver(team_id));
      take(team_id, waiting[0]!);
      if (!dies()) waiting.shift();
    }
  };
  const setTimer = (team_id: string) => {
    const due = nextDeadline(accountOf(team_id));
    if (due && due.at < timersUntil) clock.at(due.at + random.below(30 * minuteMs), (at) => ring(team_id, due, at));
  };
  const ring = (team_id: string, { id, name }: { id: string; name: BillingEvent['name'] }, at: Instant) => {
    const event = { id, name, at } as BillingEvent;
    handle(team_id, event);
    if (random.happens(0.1)) handle(team_id, event);
  };
  const handle = (team_id: string, event: BillingEvent): void => {
    for (let isDone = false; !isDone; isDone = !dies()) {
      if (idempotencyKeys(event).some((key) => keys.has(`${team_id} ${key}`))) return;
      const account = accountOf(team_id);
      const outcome = step(account, event, { tax_basis_points: taxBasisPoints });
      if ('refused' in outcome) return;
      if (dies()) {
        const again = step(account, event, { tax_basis_points: taxBasisPoints });
        if (!isDeepStrictEqual(outcome, again)) throw new Error(`${event.name} had two outcomes.`);
      }
      const happening = classifyEvent(account, event);
      if ('to' in transitionFor(account.status, happening)) answersSeen.add(`${happening} ${account.status}`);
      commit(team_id, event, outcome);
      handOver(team_id);
      setTimer(team_id);
    }
  };
  return { handle, accountOf, documents, entries, answersSeen, crashes: () => crashes };
}
export type Server = ReturnType<typeof server>;
