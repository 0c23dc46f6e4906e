import { type AuditAction, auditActions, type Contract, resolveAuditType } from '@paddock/contract';
import { systemActions } from '../../audit/record-system-action.ts';
import { recordedFields } from '../../audit/recorded-input.ts';

const code = (text: string) => `\`${text}\``;

/** Fields of a record beside the recorded input fields. */
const besides: Partial<Record<AuditAction, readonly string[]>> = {
  'variable.set': ['keys'],
  'model-prices.update': ['models'],
  'model-providers.update': ['providers'],
  'budget.set': ['kind', 'amount', 'project_id'],
  'deployment.redeploy': ['environment', 'source_deployment_id'],
  'deployment.rollback': ['environment', 'source_deployment_id'],
};

/** The headings of the list, in its order. */
const headings = [
  ['configuration', 'Configuration'],
  ['data_access', 'Data access'],
  ['deployment', 'Deployments'],
] as const;

/** The actions of calls, as listed in `docs/audit-actions.md`: what each is done to, its calls, and the recorded input fields. */
export function auditActionsMarkdown(contract: Contract): string {
  const routes = Object.values(contract).flatMap((group) => Object.values(group));
  const listed = (action: AuditAction) => {
    const calls = routes.filter(({ audit }) => audit === action).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    const fields = new Set([...recordedFields[action], ...(besides[action] ?? []), ...(action.endsWith('.update') ? ['changed'] : [])]);
    const holds = fields.size > 0 ? `; holds ${[...fields].map(code).join(', ')}` : '';
    return `- ${code(action)} (${auditActions[action]}): ${calls.map(code).join(', ')}${holds}`;
  };
  return headings
    .map(([type, heading]) => {
      const actions = (Object.keys(auditActions) as AuditAction[]).filter((action) => resolveAuditType(action) === type);
      return `### ${heading}\n\n${actions.map(listed).join('\n')}`;
    })
    .join('\n\n');
}

/** The automatic actions of Paddock. */
export const ownActionsMarkdown = (): string =>
  Object.entries(systemActions)
    .map(([action, target]) => `- ${code(action)} (${target})`)
    .join('\n');
