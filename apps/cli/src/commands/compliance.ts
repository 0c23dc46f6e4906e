import { frameworkIds } from '@paddock/contract';
import { Argument, type Command, CommanderError } from 'commander';
import { type CheckOptions, checkCompliance } from '../compliance/check.ts';
import { examples } from '../examples.ts';
import { exitCodes } from '../failures.ts';
import type { Run } from '../run.ts';

export function complianceCommand(program: Command, run: Run) {
  const compliance = program.command('compliance').description('Check a compliance framework, for example in a pipeline.');
  compliance
    .command('check')
    .description('Run all controls of a framework now, and report failures with remedies.')
    .addArgument(new Argument('<framework>', 'the framework to check').choices(frameworkIds))
    .option('--allow-unverified', 'also succeed if something could not be verified, as long as nothing fails')
    .exitOverride((error) => {
      // 2 is a verdict here, so wrong usage has another code.
      throw error.exitCode === 0 ? error : new CommanderError(exitCodes.no_verdict, error.code, error.message);
    })
    .addHelpText(
      'after',
      `${examples([['paddock compliance check gdpr', 'in a pipeline']])}\nExit codes: 0 compliant, 1 non-compliant, 2 in review (something could not be verified), 64 no verdict: wrong usage or an interrupted check.`,
    )
    .action((framework: (typeof frameworkIds)[number], options: CheckOptions, command: Command) =>
      run(command, (context) => checkCompliance(context, framework, options)),
    );
}
