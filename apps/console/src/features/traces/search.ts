import { countOf, oneOf, textOf } from '../../navigation/search.ts';

/** The state of traces that is kept in an address, beside a page's own parameters: the filters of the list, and the open trace. */
export const traceParameters = {
  tab: oneOf('traces'),
  trace: textOf(32),
  span: textOf(64),
  status: oneOf('ok', 'error'),
  model: textOf(128),
  min_ms: countOf,
  find: textOf(200),
};
