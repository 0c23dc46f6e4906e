import { ApiError } from '@paddock/contract/errors';
import type { Context } from '../context.ts';
import { messageOf } from '../failures.ts';
import type { Check } from './check.ts';

/** Whether the server answers, accepts the key, and can run agents. */
export async function serverChecks(context: Context): Promise<Check[]> {
  const url = await context.url();
  const reached = await reach(url, context);
  if (reached.state !== 'ok') return [reached];
  try {
    const { api } = await context.server();
    const who = await api.apiKeys.validate();
    const system = await api.system.get();
    return [
      reached,
      { name: 'API key', state: 'ok', found: `valid, of ${who.user.email}` },
      versionCheck(system.version, context.version),
      system.runtime_problem
        ? {
            name: 'Agents at the server',
            state: 'problem',
            found: system.runtime_problem.reason,
            remedy: `To mend it there: ${system.runtime_problem.remedy}`,
          }
        : {
            name: 'Agents at the server',
            state: system.isolated ? 'ok' : 'notice',
            found: system.isolated ? 'can run' : 'run without isolation',
          },
      recordsCheck(system.recording_problem),
    ];
  } catch (error) {
    return [reached, { name: 'API key', state: 'problem', found: messageOf(error), remedy: remedyOf(error, url) }];
  }
}

/** A server of an older release does not report this. */
function recordsCheck(problem: { reason: string; remedy: string } | null | undefined): Check {
  if (!problem) return { name: 'Audit trail', state: 'ok', found: 'records whole requests' };
  return { name: 'Audit trail', state: 'problem', found: problem.reason, remedy: problem.remedy };
}

async function reach(url: string, { signal }: Context): Promise<Check> {
  try {
    const answer = await fetch(`${url}/healthz`, { redirect: 'manual', signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) });
    const { ok } = answer.ok ? ((await answer.json()) as { ok?: unknown }) : { ok: false };
    if (ok === true) return { name: 'Server', state: 'ok', found: `${url} answers` };
    if (answer.status === 503)
      return { name: 'Server', state: 'problem', found: `${url} answers that it is not ready`, remedy: 'Wait a moment; then see its log.' };
    return {
      name: 'Server',
      state: 'problem',
      found: `${url} answers with ${answer.status}`,
      remedy: 'Is it a Paddock server? Name another with --url.',
    };
  } catch (error) {
    if (signal.aborted) throw error;
    const remedy = 'Start it with npm start in its clone, or name another with --url.';
    return { name: 'Server', state: 'problem', found: `${url} does not answer`, remedy };
  }
}

function versionCheck(server: string, own: string): Check {
  if (server === own) return { name: 'Versions', state: 'ok', found: `server and tool are both ${own}` };
  return {
    name: 'Versions',
    state: 'notice',
    found: `the server is ${server}, the tool ${own}`,
    remedy: 'Get the tool that comes with the server: see /docs/cli there.',
  };
}

const remedyOf = (error: unknown, url: string) =>
  error instanceof ApiError && error.status === 403 ? 'Create a key with more scopes in the console.' : `Run: paddock login --url ${url}`;
