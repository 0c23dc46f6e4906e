/** What an API key may be allowed to do, with the label that people see. */
export const scopes = {
  'agents:read': 'Read Agents',
  'agents:write': 'Create/Update Agents',
  'agents:deploy': 'Deploy Agents',
  'agents:delete': 'Delete Agents',
  'projects:read': 'Read Projects',
  'projects:write': 'Create/Update Projects',
  'databases:read': 'Read Databases',
  'logs:read': 'Read Logs',
  'governance:read': 'Read Governance',
  'governance:write': 'Manage Governance',
} as const;
export type Scope = keyof typeof scopes;
