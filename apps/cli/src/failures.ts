import { ApiError } from '@paddock/contract/errors';

/** The CLI's exit codes. Scripts rely on them, so they never change. `no_verdict` belongs to `audit verify`, for which 1 and 2 are verdicts. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  forbidden: 3,
  not_found: 4,
  unreachable: 5,
  no_verdict: 64,
  interrupted: 130,
} as const;

/** A failure that the CLI itself found; the server's own errors are `ApiError`. */
export class ToolError extends Error {
  readonly code: string;
  readonly exit: number;

  constructor(code: string, message: string, { exit = exitCodes.failed, cause }: { exit?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = 'ToolError';
    this.code = code;
    this.exit = exit;
  }
}

export const usage = (message: string) => new ToolError('usage', message, { exit: exitCodes.usage });
export const notFound = (message: string) => new ToolError('not_found', message, { exit: exitCodes.not_found });

export function toExitCode(error: unknown): number {
  if (error instanceof ToolError) return error.exit;
  if (!(error instanceof ApiError)) return exitCodes.failed;
  if (error.status === 0 || error.code === 'unavailable') return exitCodes.unreachable;
  if (error.status === 401 || error.status === 403) return exitCodes.forbidden;
  return error.status === 404 ? exitCodes.not_found : exitCodes.failed;
}

/** The machine form of a failure: the server's problem document, and the same shape for the CLI's own failures. */
export function toProblem(error: unknown): Record<string, unknown> {
  if (error instanceof ApiError) {
    const { status, message: detail, code, errors, retry_after_s, request_id } = error;
    const problem: Record<string, unknown> = { type: 'about:blank', title: titleOf(code), status, detail, code };
    if (errors) problem.errors = errors;
    if (retry_after_s !== undefined) problem.retry_after_s = retry_after_s;
    if (request_id) problem.request_id = request_id;
    return problem;
  }
  const code = error instanceof ToolError ? error.code : 'tool_failed';
  return { type: 'about:blank', title: titleOf(code), status: 0, detail: messageOf(error), code };
}

/** `not_signed_in` → `Not signed in`. */
const titleOf = (code: string) => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * A line of advice for a failure whose message has none. The key of a browser login has no scopes for governance, and a given key may have
 * few scopes.
 */
export function suggestRemedy(error: unknown): string {
  if (!(error instanceof ApiError) || error.code !== 'scope_missing') return '';
  return 'Create a key that has it in the console (API Keys), and give it to the tool: paddock login --api-key -\n';
}
