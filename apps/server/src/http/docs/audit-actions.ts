import { type AuditAction, auditActions, auditTypeOf, type Contract } from '@paddock/contract';
import { systemActions } from '../../audit/record-system-action.ts';
import { recordedFields } from '../../audit/recorded-input.ts';
import { table } from './table.ts';

const code = (text: string) => `\`${text}\``;

/** Recorded fields in addition to the fields of the input. */
const besides: Partial<Record<AuditAction, readonly string[]>> = {
  'variable.set': ['keys'],
  'model-prices.update': ['models'],
  'model-providers.update': ['providers'],
  'budget.set': ['amount', 'project_id'],
  'deployment.redeploy': ['environment', 'source_deployment_id'],
  'deployment.rollback': ['environment', 'source_deployment_id'],
};

/** The actions of the audit trail, as `docs/governance.md` lists them: their calls, their type, and the recorded fields of the input. */
export function auditActionsMarkdown(contract: Contract): string {
  const routes = Object.values(contract).flatMap((group) => Object.values(group));
  const rows = (Object.keys(auditActions) as AuditAction[]).map((action) => {
    const calls = routes.filter(({ audit }) => audit === action).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    const shown = new Set([...recordedFields[action], ...(besides[action] ?? []), ...(action.endsWith('.update') ? ['changed'] : [])]);
    return [
      code(action),
      code(auditTypeOf(action)),
      code(auditActions[action]),
      calls.map(code).join(', '),
      [...shown].map(code).join(', '),
    ];
  });
  return table([['Action', 'Type', 'Done to', 'By', 'Of the input'], ...rows]).join('\n');
}

/** The table of Paddock's own actions. */
export const ownActionsMarkdown = (): string =>
  table([['Action', 'Done to'], ...Object.entries(systemActions).map(([action, target]) => [code(action), code(target)])]).join('\n');
