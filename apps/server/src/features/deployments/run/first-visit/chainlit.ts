import { randomUUID } from 'node:crypto';
import { ask } from '../../speaks/ask.ts';
import { converse, type Page } from './page.ts';

const maxSettingsBytes = 1024 * 1024;
/** A chat that begins says so at once. */
const patienceMs = 2_000;
const maxError = 200;

/**
 * Opens a chat of a Chainlit app once, as its page does, and leaves it. Resolves to the error with which the start of the chat ended, such as
 * `'TEA_API_KEY'`; undefined if it ended well, still runs, or there is none. Apps that sign people in, ask them for keys, or have them choose
 * a profile first are not visited: without these their code may fail.
 *
 * Events: chainlit/socket.py and chainlit/utils.py of https://github.com/Chainlit/chainlit, in packets of https://socket.io/docs/v4/socket-io-protocol/
 */
export async function visitChainlit(page: Page, signal: AbortSignal): Promise<string | undefined> {
  if (!(await letsAnybodyIn(page, signal))) return undefined;
  const auth = { clientType: 'webapp', sessionId: randomUUID(), threadId: '', userEnv: '{}', chatProfile: '' };
  let hasBegun = false;
  let raised: string | undefined;
  const onEvent = ([name, about]: unknown[]) => {
    if (name === 'task_start') hasBegun = true;
    else if (name === 'new_message') raised = readError(about);
    else if (name === 'task_end' && hasBegun) return { ended: raised };
    return hasBegun ? undefined : { patienceMs };
  };
  const onMessage = (data: Buffer) => {
    const text = data.toString('utf8');
    if (text.startsWith('0')) return { send: `40${JSON.stringify(auth)}` };
    if (text === '2') return { send: '3' }; // a ping and its answer
    if (text.startsWith('40')) return { send: '42["connection_successful"]' };
    const event = readEvent(text);
    return event ? onEvent(event) : { ended: undefined };
  };
  return await converse(page, { path: '/ws/socket.io/?EIO=4&transport=websocket', onMessage, goodbye: '42["clear_session"]' }, signal);
}

/** Undefined for packets that are no events, such as a refusal. */
function readEvent(text: string): unknown[] | undefined {
  try {
    const event: unknown = /^42\d*\[/.test(text) ? JSON.parse(text.replace(/^42\d*/, '')) : undefined;
    return Array.isArray(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** The text of the message by which Chainlit itself shows an error that the app did not catch. */
function readError(about: unknown): string | undefined {
  const { name, isError, output } = (about ?? {}) as Record<string, unknown>;
  return isError === true && name === 'Error' && typeof output === 'string' ? output.slice(0, maxError) : undefined;
}

/** Whether a chat begins without a sign-in, keys of the visitor, or a profile. */
async function letsAnybodyIn(page: Page, signal: AbortSignal): Promise<boolean> {
  const answer = await ask({ ...page, open: [] }, { path: '/project/settings?language=en-US', maxBytes: maxSettingsBytes }, signal);
  if (answer?.status !== 200 || answer.value === undefined) return false;
  const { userEnv, chatProfiles } = answer.value as { userEnv?: unknown[]; chatProfiles?: unknown[] };
  return !userEnv?.length && !chatProfiles?.length;
}
