/** Playwright keeps its browsers beside its own package, where the running agent sees them, too. */
export const fetchedEnv = { PLAYWRIGHT_BROWSERS_PATH: '0' };
