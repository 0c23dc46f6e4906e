import { parseArgs } from 'node:util';
import { answerText, exitCodeOf, usageExit } from './answer-text.ts';
import { Unusable } from './failures.ts';
import { safeJson, safeText } from './safe-output.ts';
import { verifyExport } from './verify-export.ts';

const help = `Usage: verify-audit.mjs FILE [--key KEY] [--checkpoints FILE …] [--json]

Verifies an export of Paddock's audit trail (format jsonl, also packed with gzip) without a server and without Paddock's other code.

  --key KEY           the public key: 32 bytes in base64url, or a file with them or with PEM; else the export names the key itself
  --checkpoints FILE  checkpoints that were stored elsewhere; can be repeated
  --json              print JSON for programs
  -h, --help          print this help

Exit codes: 0 valid, 1 broken, 2 unproven, 64 wrong usage or an unreadable file.
`;

const options = {
  key: { type: 'string' },
  checkpoints: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Joins the key to its option, because a key in 64 begins with a dash and would be read as an option: `--key -x…` becomes `--key=-x…`. */
const withJoinedKey = (args: string[]) => {
  const at = args.indexOf('--key');
  const key = args[at + 1];
  return at >= 0 && key !== undefined && /^-[\w-]{42}$/.test(key) ? args.toSpliced(at, 2, `--key=${key}`) : args;
};

/** The verifier as a standalone program. Prints the answer and returns the exit code; wrong usage does not throw. */
export async function program(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args: withJoinedKey(args), options, allowPositionals: true });
    if (values.help) {
      process.stdout.write(help);
      return 0;
    }
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new Unusable(`Name one file.\n\n${help}`);
    const answer = await verifyExport({ file, key: values.key, checkpoints: values.checkpoints });
    process.stdout.write(`${values.json ? safeJson(JSON.stringify(answer, null, 2)) : safeText(answerText(answer))}\n`);
    return exitCodeOf(answer);
  } catch (error) {
    const isUsage = error instanceof Unusable || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
    const text = (isUsage ? (error as Error).message : (error as Error).stack) ?? '';
    process.stderr.write(`${safeText(text.trimEnd())}\n`);
    return usageExit;
  }
}
