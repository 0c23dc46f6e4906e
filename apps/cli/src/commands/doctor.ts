import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { machineChecks } from '../doctor/machine.ts';
import { sandboxCheck } from '../doctor/sandbox.ts';
import { serverChecks } from '../doctor/server.ts';
import { examples } from '../examples.ts';
import { exitCodes } from '../failures.ts';
import type { Run } from '../run.ts';
import { clean } from '../terminal.ts';

export function doctorCommand(program: Command, run: Run) {
  program
    .command('doctor')
    .description('Check what Paddock needs, on this machine and on the server, and explain how to fix problems.')
    .addHelpText('after', examples([['paddock doctor', 'when something does not work']]))
    .action((_options: object, command: Command) => run(command, doctor));
}

async function doctor(context: Context) {
  const { terminal } = context;
  terminal.progress('Looking …');
  const checks = [...(await machineChecks(context)), await sandboxCheck(), ...(await serverChecks(context))];
  const { paint } = terminal;
  const sign = { ok: paint.green('ok     '), notice: paint.yellow('notice '), problem: paint.red('problem') };
  const lines = checks.map(
    ({ name, state, found, remedy }) => `${sign[state]}  ${name}: ${clean(found)}${remedy ? `\n         ${clean(remedy)}` : ''}`,
  );
  const problems = checks.filter(({ state }) => state === 'problem').length;
  terminal.result({ checks, problems }, [...lines, '', problems ? `${problems} to mend.` : 'All is well.'].join('\n'));
  return problems ? exitCodes.failed : exitCodes.ok;
}
