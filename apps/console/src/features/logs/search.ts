import { filled } from '../../api/filled.ts';
import { countOf, someOf, textOf } from '../../navigation/search.ts';
import { type Level, maxSearchLength } from './session/log-filter.ts';
import type { LogView } from './use-log-view.ts';

/** The state of an open log that is kept in the address. */
export const logParameters = {
  search: textOf(maxSearchLength),
  level: someOf('error', 'warning', 'info', 'debug'),
};
/** The marked line, for addresses that cannot have '#L17'. */
export const lineParameter = { line: countOf };

interface Parameters {
  search?: string;
  level?: string;
  line?: number;
}

export const parseLogView = ({ search = '', level, line }: Parameters): LogView => ({
  search,
  levels: (level?.split(',') ?? []) as Level[],
  line: line ?? null,
});

export const parametersOf = ({ search, levels }: LogView): Parameters => filled({ search, level: levels.join(',') });
