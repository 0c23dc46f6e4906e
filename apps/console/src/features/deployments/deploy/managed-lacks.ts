import type { System } from '@paddock/contract';

type Problems = System['database_problems'];
const kinds = [
  ['postgresql', 'PostgreSQL', 'DATABASE_URL'],
  ['redis', 'Redis', 'REDIS_URL'],
] as const satisfies readonly (readonly [keyof Problems, string, string])[];

/** What managed mode cannot give on this installation, why, what to do, and what the agent gets all the same. */
export function managedLacks(problems: Problems | undefined): { title: string; details: string[]; outcome: string } | null {
  const missing = kinds.filter(([type]) => problems?.[type]);
  const there = kinds.filter(([type]) => !problems?.[type]);
  if (missing.length === 0) return null;
  return {
    title: `Managed ${missing.map(([, word]) => word).join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not available on this installation.`,
    details: missing.flatMap(([type]) => {
      const problem = problems?.[type];
      return problem ? [`${problem.reason} ${problem.remedy}`] : [];
    }),
    outcome:
      there.length === 0
        ? 'Choose another mode, or a deployment is refused before anything is built.'
        : `The agent gets ${there.map(([, , name]) => name).join(' and ')} alone.`,
  };
}
