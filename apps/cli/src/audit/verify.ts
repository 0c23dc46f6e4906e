import { resolve } from 'node:path';
import { type Answer, answerText, exitCodeOf as exitCodeOfAnswer, Unusable, verifyExport } from '@paddock/audit-verifier';
import type { Verification } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { megabytes } from '../archive/list-files.ts';
import type { Context } from '../context.ts';
import { exitCodes, messageOf, ToolError, toExitCode } from '../failures.ts';
import { withRetries } from '../retry.ts';
import { clean } from '../terminal.ts';

export interface VerifyOptions {
  key?: string;
  checkpoints?: string[];
}

/** Exits by the verdict: 0 valid, 1 broken, 2 unproven. Failures without a verdict have other codes, so that scripts can tell them apart. */
export async function verifyAuditLogs(context: Context, file: string | undefined, options: VerifyOptions): Promise<number> {
  try {
    if (file !== undefined) return await verifyFile(context, file, options);
    if (options.key !== undefined || options.checkpoints) throw new Unusable('--key and --checkpoints are for the verification of a file.');
    return await verifyOnline(context);
  } catch (error) {
    if (context.signal.aborted) throw error;
    const isVerdict = ([exitCodes.failed, exitCodes.usage] as number[]).includes(toExitCode(error));
    if (!isVerdict) throw error;
    throw new ToolError(pickCode(error), messageOf(error), { exit: exitCodes.no_verdict, cause: error });
  }
}

function pickCode(error: unknown): string {
  if (error instanceof ToolError || error instanceof ApiError) return error.code;
  return error instanceof Unusable ? 'usage' : 'tool_failed';
}

async function verifyFile({ terminal, cwd, signal }: Context, file: string, { key, checkpoints = [] }: VerifyOptions): Promise<number> {
  const answer = await verifyExport({
    file: resolve(cwd, file),
    key,
    checkpoints: checkpoints.map((each) => resolve(cwd, each)),
    signal,
    onProgress: ({ records, bytes }) => terminal.progress(`Verifying: ${records.toLocaleString('en')} records, ${megabytes(bytes)}`),
  });
  terminal.result(answer, clean(answerText(answer)));
  return exitCodeOfAnswer(answer);
}

async function verifyOnline(context: Context): Promise<number> {
  const { terminal, signal } = context;
  const { api } = await context.server();
  let from_seq = 1;
  let checked = 0;
  for (;;) {
    const start = from_seq;
    const answer: Verification = await withRetries(() => api.governance.verifyAuditLogs({ from_seq: start }), signal);
    checked += answer.checked;
    const { valid, next_seq, head_seq } = answer;
    // Without progress of the server this loop would never end.
    if (valid && next_seq !== null && next_seq > start) {
      terminal.progress(`Verifying: ${(next_seq - 1).toLocaleString('en')} of ${head_seq.toLocaleString('en')} records`);
      from_seq = next_seq;
      continue;
    }
    if (valid && next_seq !== null) throw new ToolError('no_progress', 'The server does not come further. Try again later.');
    const verdict = resolveVerdict(answer);
    terminal.result({ verdict, ...answer, checked }, clean(formatVerification({ ...answer, checked })));
    return exitCodeOfAnswer({ verdict });
  }
}

function resolveVerdict({ valid, checkpoint_seq, head_seq }: Verification): Answer['verdict'] {
  if (!valid) return 'broken';
  return checkpoint_seq > 0 && checkpoint_seq >= head_seq ? 'valid' : 'unproven';
}

/** The server signs new records every three minutes. */
const whenProven = 'One is signed within three minutes after a record: verify again then.';

function formatVerification(answer: Verification): string {
  const { first_bad, checked, checkpoint_seq, head_seq } = answer;
  const counted = (count: number) => count.toLocaleString('en');
  const heads = {
    valid: 'Valid: signed checkpoints cover all records.',
    broken: `Broken from record ${counted(first_bad?.seq ?? 0)}${first_bad?.id ? ` (${first_bad.id})` : ''}: ${first_bad?.reason ?? 'no reason was given'}`,
    unproven:
      checkpoint_seq === 0
        ? `Unproven: no signed checkpoint covers these records yet. ${whenProven}`
        : `Unproven: no signed checkpoint covers records ${counted(checkpoint_seq + 1)} to ${counted(head_seq)} yet. ${whenProven}`,
  };
  return [
    heads[resolveVerdict(answer)],
    `Records   ${counted(checked)}`,
    `Covered   ${checkpoint_seq > 0 ? `up to record ${counted(checkpoint_seq)} by signed checkpoints` : 'by no checkpoint'}`,
    'Note      The server checked itself. To check it from outside: paddock audit export, then paddock audit verify FILE --key KEY --checkpoints FILE',
  ].join('\n');
}
