/** Where Playwright keeps browsers: beside its own package, which the running agent sees, too. */
export const fetchedEnv = { PLAYWRIGHT_BROWSERS_PATH: '0' };
