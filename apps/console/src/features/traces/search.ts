import { countOf, oneOf, textOf } from '../../navigation/search.ts';

/** The part of traces that an address keeps: what the list is filtered by, and what is open. They stand beside a page's own parameters. */
export const traceParameters = {
  tab: oneOf('traces'),
  trace: textOf(32),
  span: textOf(64),
  status: oneOf('ok', 'error'),
  model: textOf(128),
  min_ms: countOf,
  find: textOf(200),
};
