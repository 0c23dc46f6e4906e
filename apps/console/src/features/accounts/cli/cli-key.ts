import { cliScopes } from '@paddock/contract/scopes';
import { api } from '../../../api/api.ts';
import { isDemo, type Session } from '../../../api/session.ts';
import { demoKey } from '../demo-account.ts';
import type { LoopbackCallback } from './loopback-callback.ts';

export const cliKeyName = (now: Date) => `CLI Login - ${now.toISOString()}`;

/** Creates the key for the command line. In demo mode the key works nowhere, and no request is sent. */
export async function createCliKey({ token }: Session, name: string): Promise<string> {
  if (isDemo(token)) return demoKey();
  const { api_key } = await api.apiKeys.create({ name, is_test: false, scopes: [...cliScopes] });
  return api_key;
}

/** Sends the key by a full-page form POST, so that it appears in no address and no history. */
export function handOver({ action, state }: LoopbackCallback, api_key: string) {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.hidden = true;
  for (const [name, value] of Object.entries({ api_key, state })) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

/** Whether this document was loaded as /login: no other document of the console may POST to a loopback address. */
export function isOwnDocument(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return entry === undefined || new URL(entry.name, location.href).pathname === location.pathname;
}
