import { type AuditAction, auditActions, auditTypeOf, type Contract } from '@paddock/contract';
import { systemActions } from '../../audit/record-system-action.ts';
import { recordedFields } from '../../audit/recorded-input.ts';
import { table } from './table.ts';

const code = (text: string) => `\`${text}\``;

/** Fields of a record beside the recorded input fields. */
const besides: Partial<Record<AuditAction, readonly string[]>> = {
  'variable.set': ['keys'],
  'model-prices.update': ['models'],
  'model-providers.update': ['providers'],
  'budget.set': ['amount', 'project_id'],
  'deployment.redeploy': ['environment', 'source_deployment_id'],
  'deployment.rollback': ['environment', 'source_deployment_id'],
};

/** The actions of the audit trail, as listed in `docs/governance.md`: their calls, types, and recorded input fields. */
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

/** The automatic actions of Paddock. */
export const ownActionsMarkdown = (): string =>
  table([['Action', 'Done to'], ...Object.entries(systemActions).map(([action, target]) => [code(action), code(target)])]).join('\n');
