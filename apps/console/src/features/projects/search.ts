/** What of the projects page lives in its address. */
export type ProjectsSearch = { action?: 'new'; q?: string };

/** Unknown or malformed parameters are dropped in silence. */
export const projectsSearch = (given: Record<string, unknown>): ProjectsSearch => ({
  ...(given.action === 'new' ? { action: 'new' } : {}),
  ...(typeof given.q === 'string' && given.q !== '' ? { q: given.q.slice(0, 100) } : {}),
});
