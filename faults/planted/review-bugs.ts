import type { PlantedBug } from './bug.ts';

/** What a second reading of the defences against hanging, filling and misleading has found. */
export const reviewBugs: PlantedBug[] = [
  {
    bug: 'a start that fails after a crash ends npm start',
    promise: 'npm start keeps the server running, also while the disk is full',
    file: 'scripts/bootstrap/supervise.mjs',
    from: '(code === NOT_STARTED && crashes > 0)',
    to: '(code === NOT_STARTED && crashes < 0)',
    caught_by: { file: 'scripts/bootstrap/supervise.test.ts', test: 'a start that fails after a crash is tried again' },
  },
  {
    bug: 'requirements may include a file that nobody checked',
    promise: 'requirements cannot send the logins of the machine to a stranger',
    file: 'packages/builder/src/install/requirement-lines.ts',
    from: 'inputs.includes(posix.join(posix.dirname(file), name))',
    to: 'posix.join(posix.dirname(file), name) !== file',
    caught_by: { file: 'packages/builder/src/install/requirement-lines.test.ts', test: 'a file that a list includes is refused unless' },
  },
  {
    bug: 'the first projects that cannot be deleted are tried for ever',
    promise: 'one fault of one tenant never ends a loop over all tenants',
    file: 'apps/server/src/delete-projects.ts',
    from: 'tried.add(project.id);',
    to: 'tried.delete(project.id);',
    caught_by: { file: 'apps/server/src/delete-projects.test.ts', test: 'projects that cannot be deleted keep no other from its turn' },
  },
  {
    bug: 'searches of one team take every connection of the server',
    promise: 'nobody can stop anybody',
    file: 'apps/server/src/features/logs/team-turns.ts',
    from: 'if (team.running < atOnce) team.running += 1;',
    to: 'if (team.running < 100 * atOnce) team.running += 1;',
    caught_by: { file: 'apps/server/src/features/logs/team-turns.test.ts', test: 'searches of one team leave connections to the others' },
  },
  {
    bug: 'a predecessor that was restarting comes back without an address',
    promise: 'what crashes in its first minute has failed to start, and the deployment before serves again',
    file: 'apps/server/src/features/deployments/end-trial.ts',
    from: 'if (before.instance_port === null) return { id: before.id, goes_on: false',
    to: 'if (before.instance_port === null) return { id: before.id, goes_on: true',
    caught_by: {
      file: 'apps/server/src/features/deployments/trial-restarting.test.ts',
      test: 'a web agent that was just restarting when it was replaced',
    },
  },
];
