import type { Scope } from '@paddock/contract';

/** Every scope in the order of the form, with its label and a phrase for sentences. */
export const scopeWords = {
  'agents:read': { label: 'Read Agents', can: 'see agents' },
  'agents:write': { label: 'Create/Update Agents', can: 'stop agents' },
  'agents:deploy': { label: 'Deploy Agents', can: 'deploy agents' },
  'agents:delete': { label: 'Delete Agents', can: 'delete agents with their projects' },
  'projects:read': { label: 'Read Projects', can: 'see projects' },
  'projects:write': { label: 'Create/Update Projects', can: 'change projects and variables' },
  'databases:read': { label: 'Read Databases', can: 'see databases' },
  'logs:read': { label: 'Read Logs', can: 'read logs' },
  'governance:read': { label: 'Read Governance', can: 'read the audit trail' },
  'governance:write': { label: 'Manage Governance', can: 'manage governance' },
  'channels:read': { label: 'Read Channels', can: 'see channels' },
  'channels:write': { label: 'Manage Channels', can: 'manage channels' },
  'keys:read': { label: 'Read API Keys', can: 'list API keys' },
  'keys:write': { label: 'Manage API Keys', can: 'create API keys with no more access than its own' },
} as const satisfies Record<Scope, { label: string; can: string }>;

export const everyScope = Object.keys(scopeWords) as Scope[];
export const firstSelection: readonly Scope[] = ['agents:read', 'agents:write', 'agents:deploy', 'projects:read'];

export const presets: readonly { label: string; scopes: readonly Scope[] }[] = [
  { label: 'Deploy from CI', scopes: ['agents:read', 'agents:deploy', 'projects:read', 'logs:read'] },
  { label: 'Read only', scopes: ['agents:read', 'projects:read', 'databases:read', 'logs:read', 'governance:read'] },
  { label: 'Full', scopes: everyScope },
];

export const sameScopes = (a: readonly Scope[], b: readonly Scope[]) => a.length === b.length && a.every((scope) => b.includes(scope));

export const scopesSummary = (scopes: readonly Scope[]) =>
  scopes.length === everyScope.length ? 'All scopes' : scopes.map((scope) => scopeWords[scope]?.label ?? scope).join(', ');

/** Describes what a key with these scopes can and cannot do. */
export function whatItMay(scopes: readonly Scope[]): string {
  const words = (chosen: boolean) => everyScope.filter((scope) => scopes.includes(scope) === chosen).map((scope) => scopeWords[scope].can);
  const can = words(true);
  const cannot = words(false);
  if (can.length === 0) return 'Choose at least one scope. Without one, the key cannot do anything.';
  const refused = cannot.length ? ` It cannot ${list(cannot, 'or')}.` : '';
  return `The key can ${list(can, 'and')}.${refused} It can never change your account.`;
}

const list = (words: readonly string[], last: string) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
