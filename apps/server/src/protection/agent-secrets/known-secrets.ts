import { type Blanking, createBlanking } from './blanking.ts';

/** How long a result is cached; the start of an agent of the team invalidates it at once. */
const KEPT_MS = 5_000;
/** A replaced value may be in earlier output of an agent, so it is blanked for this much longer. */
const REPLACED_MS = 10 * 60_000;
const MAX_PROJECTS = 1_000;

export type BlankingOf = (team_id: string, project_id: string) => Promise<Blanking>;

interface Known {
  team_id: string;
  /** Each value with the time until which it is blanked. */
  values: Map<string, number>;
  blanking: Blanking;
  until: number;
}

/** Caches the secrets of projects. A rejection is not cached. */
export function knownSecrets(
  read: (team_id: string, project_id: string) => Promise<string[]>,
  now: () => number = () => performance.now(),
) {
  const projects = new Map<string, Known>();
  /** Reads in progress. A result that was read during a change is used once. */
  const reading = new Map<string, { answer: Promise<Known>; since: number }>();
  let changes = 0;

  async function readBlanking(team_id: string, project_id: string): Promise<Blanking> {
    const key = `${team_id} ${project_id}`;
    const known = projects.get(key);
    if (known && known.until > now()) return known.blanking;
    const under = reading.get(key);
    // A read on a silently lost connection never ends: others wait for it no longer than a result is cached.
    if (under && under.since > now() - KEPT_MS) return (await under.answer).blanking;
    const answer = renewed(key, { team_id, project_id }).finally(() => reading.get(key)?.answer === answer && reading.delete(key));
    reading.set(key, { answer, since: now() });
    return (await answer).blanking;
  }

  async function renewed(key: string, { team_id, project_id }: { team_id: string; project_id: string }): Promise<Known> {
    const asked = now();
    const seen = changes;
    const secrets = await read(team_id, project_id);
    const before = projects.get(key);
    const values = new Map([...(before?.values ?? [])].filter(([, until]) => until > asked));
    for (const secret of secrets) values.set(secret, asked + REPLACED_MS);
    const isSame =
      before !== undefined && before.values.size === values.size && [...values.keys()].every((value) => before.values.has(value));
    const known = {
      team_id,
      values,
      blanking: isSame ? before.blanking : createBlanking([...values.keys()]),
      until: seen === changes ? asked + KEPT_MS : 0,
    };
    projects.delete(key);
    projects.set(key, known);
    if (projects.size > MAX_PROJECTS) projects.delete(projects.keys().next().value!);
    return known;
  }

  return {
    readBlanking,
    /** Call when an agent of the team starts; with '' when notifications may have been missed. */
    changed(team_id: string): void {
      changes += 1;
      for (const [key, known] of projects) {
        if (team_id !== '' && known.team_id !== team_id) continue;
        known.until = 0;
        reading.delete(key);
      }
    },
  };
}
