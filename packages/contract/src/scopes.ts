/** Permissions of an API key, with their displayed labels. */
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
  'channels:read': 'Read Channels',
  'channels:write': 'Manage Channels',
  'keys:read': 'Read API Keys',
  'keys:write': 'Manage API Keys',
} as const;
export type Scope = keyof typeof scopes;

/**
 * Scopes of the key of a command-line login (spec, section 3): the eight of agents, projects, databases and logs. For all others a user
 * creates a separate key.
 */
export const cliScopes = [
  ...(['agents:read', 'agents:write', 'agents:deploy', 'agents:delete'] as const),
  ...(['projects:read', 'projects:write', 'databases:read', 'logs:read'] as const),
] as const satisfies readonly Scope[];
