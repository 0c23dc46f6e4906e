import type { ControlFinding } from '../control.ts';

type Thing = Pick<ControlFinding, 'type' | 'id' | 'name'>;
type Evidence = ControlFinding['evidence'];

/** The result for a subject: the finding, the evidence, and how to fix it. */
export const passed = (thing: Thing, finding: string, evidence: Evidence = null): ControlFinding => ({
  ...thing,
  status: 'passed',
  finding,
  evidence,
  fix: null,
});

export const failed = (
  thing: Thing,
  finding: string,
  { evidence = null, fix }: { evidence?: Evidence; fix: ControlFinding['fix'] },
): ControlFinding => ({
  ...thing,
  status: 'failed',
  finding,
  evidence,
  fix,
});

export const unclear = (
  thing: Thing,
  finding: string,
  { evidence = null, fix }: { evidence?: Evidence; fix: ControlFinding['fix'] },
): ControlFinding => ({
  ...thing,
  status: 'unverified',
  finding,
  evidence,
  fix,
});

export const installation: Thing = { type: 'installation', id: 'installation', name: null };

export const countText = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
