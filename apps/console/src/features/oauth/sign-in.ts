import { ApiError } from '@paddock/contract/errors';
import { callbackPath, isProvider, type Provider } from '@paddock/contract/providers';
import { api } from '../../api/api.ts';
import { saysNothing } from '../../api/failure.ts';
import { startSession } from '../../api/session.ts';
import { type CallbackAnswer, takeAnswer } from './callback-answer.ts';
import { type Handover, keepHandover, takeHandover } from './handover.ts';

/** Redirects the browser to the provider, which returns to the callback page. */
export async function leaveFor(provider: Provider, more: Omit<Handover, 'state'>, password?: string) {
  const sent = { provider, redirect_uri: location.origin + callbackPath(provider) };
  const begun =
    more.purpose === 'link' ? api.oauth.link({ ...sent, ...(password === undefined ? {} : { password }) }) : api.oauth.authorize(sent);
  const { authorization_url, state } = await begun.catch(refuseWithWords);
  const url = URL.parse(authorization_url);
  if (!state || !url || !/^https?:$/.test(url.protocol)) throw new ApiError('internal', { detail: 'Failed to initiate OAuth' });
  keepHandover(provider, { ...more, state });
  location.assign(url.href);
}

/** Gives a server error without details a message for this step. */
function refuseWithWords(error: unknown): never {
  if (!(error instanceof ApiError) || error.code === 'network' || !saysNothing(error)) throw error;
  const { code, status, request_id } = error;
  throw new ApiError(code, { detail: 'Failed to initiate OAuth', status, cause: error, ...(request_id ? { request_id } : {}) });
}

/** A sign-in that returned from the provider and can be finished; again with the second factor if the account requires it. */
export interface Returned extends Handover {
  provider: Provider;
  code: string;
  iss: string | undefined;
}

/** The provider's response cannot be used. The message is for the person; `begun` is the state that this browser had kept. */
export class ReturnRefused extends Error {
  readonly begun: Handover | undefined;
  constructor(message: string, begun?: Handover) {
    super(message);
    this.begun = begun;
  }
}

/** Checks the provider's response. Throws ReturnRefused. */
export function takeReturned(answer: CallbackAnswer = takeAnswer()): Returned {
  const { code, state, error, provider, iss } = answer;
  const kept = isProvider(provider) ? takeHandover(provider) : undefined; // deleted even if the checks below fail
  if (error) throw new ReturnRefused(`OAuth failed: ${error.slice(0, 200)}`, kept);
  if (!code || !state) throw new ReturnRefused('Missing OAuth parameters', kept);
  if (!isProvider(provider)) throw new ReturnRefused('Unknown OAuth provider');
  if (kept?.state !== state) throw new ReturnRefused('Invalid OAuth state (CSRF protection)');
  return { ...kept, provider, code, iss: iss ?? undefined };
}

/** Signs in, or links. Throws ApiError; `second_factor_required` asks for another call with the code. */
export async function finish(returned: Returned, second_factor?: string) {
  const { provider, code, state, iss, remember, purpose } = returned;
  const answer = { provider, code, state, ...(iss === undefined ? {} : { iss }) };
  if (purpose === 'link') return void (await api.oauth.linkCallback(answer));
  const session = await api.oauth.callback({ ...answer, remember, ...(second_factor === undefined ? {} : { second_factor }) });
  if (!session.token || !session.user) throw new ApiError('internal', { detail: 'OAuth authentication failed' });
  startSession(session, remember);
}
