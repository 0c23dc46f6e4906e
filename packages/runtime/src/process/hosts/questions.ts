/**
 * Budget of DNS questions for all sandboxes of one owner on this machine. A single sandbox cannot exhaust it: its kernel passes fewer
 * packets.
 */
export const questionBounds = { perSecond: 300, burst: 600 };

/** `refuse` answers with a refusal; `drop` does not answer at all, so that a flood costs as little as possible. */
export type Admission = 'answer' | 'refuse' | 'drop';

export interface QuestionBudget {
  admit(): Admission;
}

/** A budget for each owner. Questions beyond it cost the other owners nothing. */
export function questionBudgets(now: () => number = () => performance.now()) {
  const budgets = new Map<string, QuestionBudget>();

  return {
    of(owner: string): QuestionBudget {
      const known = budgets.get(owner) ?? questionBudget(now);
      budgets.set(owner, known);
      return known;
    },
    /** Removes the budgets of owners without a sandbox. */
    keepOnly(used: ReadonlySet<QuestionBudget>): void {
      for (const [owner, one] of budgets) if (!used.has(one)) budgets.delete(owner);
    },
  };
}

function questionBudget(now: () => number): QuestionBudget {
  const takeAnswer = bucket(now);
  const takeRefusal = bucket(now);
  const admit = (): Admission => {
    if (takeAnswer()) return 'answer';
    return takeRefusal() ? 'refuse' : 'drop';
  };
  return { admit };
}

function bucket(now: () => number): () => boolean {
  let left = questionBounds.burst;
  let atMs = now();
  return () => {
    const ms = now();
    left = Math.min(questionBounds.burst, left + ((ms - atMs) / 1_000) * questionBounds.perSecond);
    atMs = ms;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
