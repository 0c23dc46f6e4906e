import type { PlantedBug } from '../bug.ts';

const logs = 'apps/server/src/features/logs';

/** Bugs in what the console shows and in what its buttons do. */
export const consoleBugs: PlantedBug[] = [
  {
    bug: 'an action of the console sends past the layer that takes a double press for one',
    promise: 'two presses in one frame are one request',
    file: 'apps/console/src/features/projects/queries.ts',
    from: "import { useAction } from '../../api/use-action.ts';",
    to: "import { useMutation as useAction } from '@tanstack/react-query';",
    caught_by: { file: 'scripts/architecture.test.ts', test: 'what the console changes on the server goes through useAction' },
  },
  {
    bug: 'an error line is counted as a warning',
    promise: 'the numbers beside the levels are those of the lines that are there',
    file: `${logs}/append.ts`,
    from: 'error_lines = log_heads.error_lines + ${error},',
    to: 'error_lines = log_heads.error_lines + ${warning},',
    caught_by: { file: `${logs}/search-store.test.ts`, test: 'counts are those of the lines that are there' },
  },
  {
    bug: 'a search in a log looks at the newest stretch of lines alone',
    promise: 'what is searched is the whole log',
    file: `${logs}/search-store.ts`,
    from: 'to = from - 1;',
    to: 'to = first - 1;',
    caught_by: { file: `${logs}/search-store.test.ts`, test: 'the one error far back in a long log' },
  },
];
