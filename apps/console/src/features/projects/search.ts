import { oneOf, searchOf, textOf } from '../../navigation/search.ts';

/** The state of the projects page that is kept in its address. */
export const projectsSearch = searchOf({ action: oneOf('new'), q: textOf(100) });
export type ProjectsSearch = ReturnType<typeof projectsSearch>;

/** The state of a project's page that is kept in its address. */
export const projectSearch = searchOf({ action: oneOf('deploy') });
