import { ApiError, type Route, type Scope, scopes } from '@paddock/contract';
import type { Actor } from './actor.ts';

/** Checks an additional scope for inputs that need more than the route's `access`. Throws scope_missing for an API key without the scope. */
export function needScope({ key_id, scopes: held = [] }: Pick<Actor, 'key_id' | 'scopes'>, scope: Scope): void {
  if (key_id !== null && !held.includes(scope)) throw new ApiError('scope_missing', { detail: scopeMissingText(scope) });
}

export const scopeMissingText = (access: Route['access']) =>
  `This API key lacks the scope ${access}${access in scopes ? ` (${scopes[access as Scope]})` : ''}, which this call needs.`;
