import { idOf, oneOf, type Search, searchOf } from '../../navigation/search.ts';

const parse = searchOf({
  project: idOf('prj'),
  environment: oneOf('production', 'preview'),
  /** The form for a database of one's own is open. */
  action: oneOf('connect'),
  /** Whose drawer is open, at which of its tabs. */
  open: idOf('db'),
  tab: oneOf('backups'),
  /** A day is the default and left out. */
  range: oneOf('1h', '7d', '30d'),
});

/** What of the databases page lives in its address. */
export type DatabasesSearch = ReturnType<typeof parse>;

export function databasesSearch(given: Search): DatabasesSearch {
  const { tab, range, ...rest } = parse(given);
  return rest.open ? { ...rest, ...(tab ? { tab } : {}), ...(range ? { range } : {}) } : rest;
}
