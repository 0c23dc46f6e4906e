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
    .option('--limit <number>', 'maximum number of records, up to 500', '50')
    .action((options: FilterOptions & { limit: string }, command: Command) => run(command, (context) => listAuditLogs(context, options)));
  filtered(audit.command('export').description('Save the audit trail, or the records that match the filters, to a file.'))
    .option('-o, --output <file>', 'output file (default: the name given by the server)')
    .addOption(new Option('--format <format>', 'json and jsonl can be verified').choices(exportFormats).default('jsonl'))
    .action((options: ExportOptions, command: Command) => run(command, (context) => exportAuditLogs(context, options)));
  verifyCommand(audit, run);
  audit
    .command('verify-erasure')
    .description('Verify the certificate of an erasure: that this installation signed it, and that it was not changed.')
    .argument('<certificate>', 'the file with the certificate')
    .option('--key <key>', 'the public key, or a file that contains it (default: the key of the server)')
    .action((file: string, options: { key?: string }, command: Command) =>
      run(command, (context) => verifyErasureFile(context, file, options)),
    );
}

function verifyCommand(audit: Command, run: Run) {
  audit
    .command('verify')
    .description('Verify the audit trail: on the server, or offline in an export (format json or jsonl).')
    .argument('[file]', 'an export, optionally compressed with gzip; without it the server verifies its records')
    .option('--key <key>', 'the public key, or a file that contains it (default: the key named in the export)')
    .option('--checkpoints <file>', 'a file with checkpoints that were stored elsewhere; can be repeated', together)
    .exitOverride((error) => {
      // 2 is a verdict here, so wrong usage has another code.
      throw error.exitCode === 0 ? error : new CommanderError(exitCodes.no_verdict, error.code, error.message);
    })
    .addHelpText(
      'after',
      examples([
        ['paddock audit verify', 'let the server check its records'],
        ['paddock audit verify audit.jsonl --key KEY', 'check an export'],
        ['paddock audit verify audit.jsonl --checkpoints kept.jsonl', 'detect whether the log was truncated or rewritten'],
      ]) +
        '\nExit codes: 0 valid, 1 broken, 2 unproven (no signed checkpoint covers all records yet), 64 no verdict: wrong usage, an unreadable file.',
    )
    .action((file: string | undefined, options: VerifyOptions, command: Command) =>
      run(command, (context) => verifyAuditLogs(context, file, options)),
    );
}

const filtered = (command: Command) =>
  command
    .option('--agent <project>', 'only records of this project: its name or id (prj_…)')
    .addOption(new Option('--type <type>', 'only records of this type').choices(auditActionTypes))
    .addOption(new Option('--status <status>', 'only records with this outcome').choices(auditStatuses))
    .option('--since <time>', 'only records since a time (2026-01-31T12:00) or for the past span (30m, 1h, 7d)')
    .option('--until <time>', 'only records before a time, in the same formats')
    .option('--search <text>', 'only records whose action contains this text, or with this request id')
    .option('--trace <id>', 'only records of this trace')
    .option('--user <id>', 'only records of this person (usr_…) or API key (key_…)');

const together = (file: string, before: string[] = []) => [...before, file];
