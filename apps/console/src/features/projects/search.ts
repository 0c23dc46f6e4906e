import { oneOf, searchOf, textOf } from '../../navigation/search.ts';

/** The part of the projects page that its address keeps. */
export const projectsSearch = searchOf({ action: oneOf('new'), q: textOf(100) });
export type ProjectsSearch = ReturnType<typeof projectsSearch>;

/** The part of a project's page that its address keeps. */
export const projectSearch = searchOf({ action: oneOf('deploy') });
