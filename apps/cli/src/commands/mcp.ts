import type { Command } from 'commander';
import { examples } from '../examples.ts';
import type { Run } from '../run.ts';

export function mcpCommand(program: Command, run: Run) {
  program
    .command('mcp')
    .description('Serve the Model Context Protocol on stdin and stdout, so that coding agents deploy and debug here.')
    .addHelpText(
      'after',
      examples([
        ['claude mcp add paddock -- paddock mcp', 'add it to Claude Code'],
        ['paddock mcp --url https://paddock.example.com', 'for a server other than that of the last login'],
      ]),
    )
    .action((_options: object, command: Command) =>
      run(command, async (context) => {
        // The SDK is loaded only here: it would slow down the start of every other command.
        const { serveMcp } = await import('../mcp/serve.ts');
        await serveMcp(context);
      }),
    );
}
