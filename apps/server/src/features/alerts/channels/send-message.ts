import { channelLimits } from '@paddock/contract/limits';
import type { AgentUrl } from '../../../config/config.ts';
import { formatBody } from './body.ts';
import { type StoredEvent, toEventBody } from './channel-event.ts';
import type { Outcome } from './delivery-store.ts';
import { PostFailed, post } from './post.ts';
import { secretsAt, type Values } from './sealed-values.ts';
import { signatureHeaders } from './signature.ts';
import { type FindTarget, readUrl, TargetRefused, TargetUnknown } from './target.ts';

export interface TryParts {
  findTarget: FindTarget;
  agentUrl: AgentUrl;
}

/** A message: the event, and the channel that receives it. */
interface Message {
  id: string;
  type: 'webhook' | 'slack';
  values: Values;
  happened: StoredEvent;
  created_at: string;
}
export type SendMessage = (message: Message, signal: AbortSignal) => Promise<Outcome>;

/**
 * Sends a message once, within ten seconds: resolves the address again, signs, posts. A failure is an outcome, not an error. Throws only when the
 * signal aborts.
 */
export const createSender =
  ({ findTarget, agentUrl }: TryParts): SendMessage =>
  async (message, signal) => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(channelLimits.tryMs)]);
    const { id, type, values, happened, created_at } = message;
    const body = formatBody(type, toEventBody(happened, agentUrl), created_at);
    const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Paddock-Webhooks' };
    const now = new Date();
    const signed =
      type === 'slack' ? {} : signatureHeaders({ id, timestamp: Math.floor(now.getTime() / 1000), body }, secretsAt(values, now));
    try {
      const url = readUrl(values.url);
      if (typeof url === 'string') return { response_status: null, response_text: null, error: url };
      const target = await findTarget(url, within);
      const { status, text } = await post(target, { headers: { ...headers, ...signed }, body }, within);
      return { response_status: status, response_text: text, error: judged(status) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PostFailed || error instanceof TargetRefused || error instanceof TargetUnknown)) throw error;
      return { response_status: null, response_text: null, error: error.message };
    }
  };

/** The problem with a status; null for a success. */
function judged(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `It answered ${status}, a redirect. Redirects are not followed: give the address that they lead to.`;
  if (status === 410) return 'It answered 410: nothing is wanted there any more.';
  return `It answered ${status}.`;
}
