import { Command } from 'commander';
import { alertsCommand } from './commands/alerts.ts';
import { auditCommand } from './commands/audit.ts';
import { callCommand } from './commands/call.ts';
import { completionCommand } from './commands/completion.ts';
import { complianceCommand } from './commands/compliance.ts';
import { dbCommand } from './commands/db.ts';
import { deployCommand } from './commands/deploy.ts';
import { diffCommand } from './commands/diff.ts';
import { doctorCommand } from './commands/doctor.ts';
import { envCommand } from './commands/env.ts';
import { initCommand } from './commands/init.ts';
import { keysCommand } from './commands/keys.ts';
import { listCommand } from './commands/list.ts';
import { loginCommand } from './commands/login.ts';
import { logoutCommand } from './commands/logout.ts';
import { logsCommand } from './commands/logs.ts';
import { mcpCommand } from './commands/mcp.ts';
import { metricsCommand } from './commands/metrics.ts';
import { openCommand } from './commands/open.ts';
import { planCommand } from './commands/plan.ts';
import { policyCommand } from './commands/policy.ts';
import { projectsCommand } from './commands/projects.ts';
import { promoteCommand } from './commands/promote.ts';
import { redeployCommand } from './commands/redeploy.ts';
import { restartCommand } from './commands/restart.ts';
import { rollbackCommand } from './commands/rollback.ts';
import { statusCommand } from './commands/status.ts';
import { stopCommand } from './commands/stop.ts';
import { tracesCommand } from './commands/traces.ts';
import { usageCommand } from './commands/usage.ts';
import { whoamiCommand } from './commands/whoami.ts';
import type { Context } from './context.ts';
import { examples } from './examples.ts';
import type { Run } from './run.ts';

export interface GlobalOptions {
  url?: string;
  json?: boolean;
}

interface Deps {
  json: boolean;
  version: string;
  run: (options: GlobalOptions, work: (context: Context) => Promise<number | void>) => Promise<void>;
}

const commands: ((program: Command, run: Run) => void)[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  initCommand,
  deployCommand,
  listCommand,
  statusCommand,
  logsCommand,
  metricsCommand,
  usageCommand,
  planCommand,
  tracesCommand,
  alertsCommand,
  auditCommand,
  policyCommand,
  complianceCommand,
  openCommand,
  callCommand,
  stopCommand,
  restartCommand,
  redeployCommand,
  promoteCommand,
  diffCommand,
  rollbackCommand,
  envCommand,
  dbCommand,
  projectsCommand,
  keysCommand,
  mcpCommand,
  doctorCommand,
  completionCommand,
];

/** Every command of the CLI, from the table above. */
export function buildProgram({ json, version, run }: Deps): Command {
  const program = new Command('paddock')
    .description('Deploys and watches AI agents on a Paddock server.')
    .version(version, '-V, --version', 'print the version')
    .option('--url <url>', 'address of the server (else PADDOCK_URL, the last login, http://localhost:4000)')
    .option('--json', 'print JSON for programs')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showHelpAfterError('Run the command with --help to see how it is used.')
    .exitOverride()
    .configureOutput(json ? { writeErr: () => undefined } : {})
    .addHelpText(
      'after',
      examples([
        ['paddock login', 'log in by the browser'],
        ['paddock deploy', 'deploy this folder'],
        ['paddock logs -f', 'watch its log'],
        ['PADDOCK_API_KEY=… paddock deploy --json', 'the same from a CI job'],
      ]) + '\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 not logged in or not allowed, 4 not found, 5 server not reachable.',
    );
  for (const register of commands) register(program, (command, work) => run(command.optsWithGlobals<GlobalOptions>(), work));
  return program;
}
