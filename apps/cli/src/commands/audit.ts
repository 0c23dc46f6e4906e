import { auditActionTypes, auditStatuses, exportFormats } from '@paddock/contract';
import { type Command, CommanderError, Option } from 'commander';
import { type ExportOptions, exportAuditLogs } from '../audit/export.ts';
import type { FilterOptions } from '../audit/filter.ts';
import { listAuditLogs } from '../audit/list.ts';
import { type VerifyOptions, verifyAuditLogs } from '../audit/verify.ts';
import { verifyErasureFile } from '../audit/verify-erasure.ts';
import { examples } from '../examples.ts';
import { exitCodes } from '../failures.ts';
import type { Run } from '../run.ts';

export function auditCommand(program: Command, run: Run) {
  const audit = program
    .command('audit')
    .description('List, export and verify the audit trail.')
    .addHelpText(
      'after',
      examples([
        ['paddock audit list --status error --since 1d', 'what went wrong lately'],
        ['paddock audit export -o audit.jsonl', 'the whole trail as a file'],
        ['paddock audit verify audit.jsonl --checkpoints kept.jsonl', 'check the file, without a server'],
      ]),
    );
  filtered(audit.command('list').alias('ls').description('List records of the audit trail, newest first.'))
    .option('--limit <number>', 'at most so many, up to 500', '50')
    .action((options: FilterOptions & { limit: string }, command: Command) => run(command, (context) => listAuditLogs(context, options)));
  filtered(audit.command('export').description('Save the audit trail, or what the filters leave of it, as a file.'))
    .option('-o, --output <file>', 'the file; else the name that the server gives')
    .addOption(new Option('--format <format>', 'json and jsonl can be verified').choices(exportFormats).default('jsonl'))
    .action((options: ExportOptions, command: Command) => run(command, (context) => exportAuditLogs(context, options)));
  verifyCommand(audit, run);
  audit
    .command('verify-erasure')
    .description('Verify the certificate of an erasure: that this installation signed it, and that nothing in it was changed.')
    .argument('<certificate>', 'the file with its line')
    .option('--key <key>', 'the public key, or a file with it; else the server is asked for its own')
    .action((file: string, options: { key?: string }, command: Command) =>
      run(command, (context) => verifyErasureFile(context, file, options)),
    );
}

function verifyCommand(audit: Command, run: Run) {
  audit
    .command('verify')
    .description('Verify the audit trail: on the server, or without any server in an export (format json or jsonl).')
    .argument('[file]', 'an export, also packed with gzip; else the server verifies its records')
    .option('--key <key>', 'the public key, or a file with it; else the export names the key itself')
    .option('--checkpoints <file>', 'checkpoints that were kept elsewhere; once for each file', together)
    .exitOverride((error) => {
      // 2 is a verdict here, so wrong usage has another code.
      throw error.exitCode === 0 ? error : new CommanderError(exitCodes.no_verdict, error.code, error.message);
    })
    .addHelpText(
      'after',
      examples([
        ['paddock audit verify', 'let the server check its records'],
        ['paddock audit verify audit.jsonl --key KEY', 'check an export'],
        ['paddock audit verify audit.jsonl --checkpoints kept.jsonl', 'a log that was cut or rewritten since is found'],
      ]) +
        '\nExit codes: 0 valid, 1 broken, 2 unproven (no signed checkpoint covers all records yet), 64 no verdict: wrong usage, an unreadable file.',
    )
    .action((file: string | undefined, options: VerifyOptions, command: Command) =>
      run(command, (context) => verifyAuditLogs(context, file, options)),
    );
}

const filtered = (command: Command) =>
  command
    .option('--agent <project>', 'of the agent of this project: its name, or its id (prj_…)')
    .addOption(new Option('--type <type>', 'of this type').choices(auditActionTypes))
    .addOption(new Option('--status <status>', 'with this outcome').choices(auditStatuses))
    .option('--since <time>', 'since a time (2026-01-31T12:00) or for a while back (30m, 1h, 7d)')
    .option('--until <time>', 'before a time, in the same forms')
    .option('--search <text>', 'with this in the action, or with this request id')
    .option('--trace <id>', 'of this trace')
    .option('--user <id>', 'by this person (usr_…) or API key (key_…)');

const together = (file: string, before: string[] = []) => [...before, file];
