import type { Plan } from './plan.ts';

/** Writes what was detected, how it starts, and the warnings into the build log. */
export function sayPlan(plan: Plan, say: (text: string) => void): void {
  const because = (what: string) => plan.reasons.find((r) => r.what === what)?.because ?? '';
  const name = { python: 'Python', node: 'Node', static: 'static site', shell: 'shell script' }[plan.language];
  const language = [name, plan.version].filter(Boolean).join(' ');
  const framework = plan.framework === undefined ? '' : `, ${plan.framework} (${because('framework')})`;
  say(`Detected ${language} (${because('language')})${framework}.`);
  say(`Start command: ${plan.start.join(' ')} (${because('start')}).`);
  for (const warning of plan.warnings) say(`Warning: ${warning}`);
}
