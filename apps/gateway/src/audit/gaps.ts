import { gapLine, type Owner } from './records/record-lines.ts';

interface Gap {
  owner: Owner;
  requests: number;
  responses: number;
  from: number;
  to: number;
}

/** Counts unrecorded requests and responses by project, until the gap itself can be recorded. */
export function gapCounter() {
  const gaps = new Map<string, Gap>();
  return { add, flush };

  function add(owner: Owner, kind: 'requests' | 'responses'): void {
    const now = Date.now();
    let gap = gaps.get(owner.project_id);
    if (gap === undefined) {
      gap = { owner, requests: 0, responses: 0, from: now, to: now };
      gaps.set(owner.project_id, gap);
    }
    gap[kind] += 1;
    gap.to = now;
  }

  /** Writes a record for each project; those that cannot be written yet are kept. */
  function flush(write: (line: string) => boolean): void {
    for (const [project, gap] of gaps) {
      if (!write(gapLine(gap.owner, gap))) return;
      gaps.delete(project);
    }
  }
}
