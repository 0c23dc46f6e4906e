/** Questions that the sandboxes of one owner on this machine ask together. A single one cannot reach it: its kernel passes on fewer packets. */
export const questionBounds = { perSecond: 300, burst: 600 };

/** `refuse`: tell the agent so; `drop`: not even that, so that a flood costs as little as possible. */
export type Admission = 'answer' | 'refuse' | 'drop';

export interface QuestionBudget {
  admit(): Admission;
}

/** A budget of each owner; questions beyond it cost the other owners nothing. */
export function questionBudgets(now: () => number = () => performance.now()) {
  const budgets = new Map<string, QuestionBudget>();

  return {
    of(owner: string): QuestionBudget {
      const known = budgets.get(owner) ?? questionBudget(now);
      budgets.set(owner, known);
      return known;
    },
    /** Forgets owners that have no sandbox left. */
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
