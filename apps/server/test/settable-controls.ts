import type { Control, ControlFinding } from '../src/features/governance/compliance/control.ts';

/** A finding on an API key. */
export const found = (id: string, status: ControlFinding['status']): ControlFinding => ({
  type: 'api_key',
  id,
  name: `Key ${id}`,
  status,
  finding: `Key ${id} is ${status}.`,
  evidence: { seen: id },
  fix: { text: 'Rotate it', path: '/api-keys' },
});

/** Controls whose findings the test sets. */
export function settable() {
  const says = {
    'KEY-02': async (_team_id: string): Promise<ControlFinding[]> => [found('one', 'passed')],
    'KEY-01': async (): Promise<ControlFinding[]> => [found('table', 'passed')],
  };
  const ran: string[] = [];
  const controls: Control[] = [
    {
      id: 'KEY-02',
      of: 'team',
      async check(team_id) {
        ran.push(`KEY-02 ${team_id}`);
        return { looked_at: 'Keys.', resources: await says['KEY-02'](team_id) };
      },
    },
    {
      id: 'KEY-01',
      of: 'installation',
      async check() {
        ran.push('KEY-01');
        return { looked_at: 'The table of keys.', resources: await says['KEY-01']() };
      },
    },
  ];
  return { says, ran, controls };
}
