import type { System } from '@paddock/contract';

type Problems = System['database_problems'];
const kinds = [
  ['postgresql', 'PostgreSQL'],
  ['redis', 'Redis'],
] as const satisfies readonly (readonly [keyof Problems, string])[];

/** Managed databases that this installation cannot run, with the reason and the remedy. */
export function managedLacks(problems: Problems | undefined): { title: string; details: string[]; outcome: string } | null {
  const missing = kinds.filter(([type]) => problems?.[type]);
  if (missing.length === 0) return null;
  return {
    title: `Managed ${missing.map(([, word]) => word).join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not available on this installation.`,
    details: missing.flatMap(([type]) => {
      const problem = problems?.[type];
      return problem ? [`${problem.reason} ${problem.remedy}`] : [];
    }),
    outcome:
      problems?.postgresql == null
        ? 'Deployments with managed databases are refused before the build, unless their environment already has them.'
        : 'Choose another mode. Otherwise, the deployment is refused before the build.',
  };
}
