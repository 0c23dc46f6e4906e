import { defineConfig } from '@playwright/test';

// The test command names the browser; an empty value means Playwright's own. A manual run uses the system's.
const executablePath = process.env.PADDOCK_BROWSER ?? '/usr/bin/chromium';

export default defineConfig({
  testMatch: '**/*.spec.ts',
  outputDir: './results',
  fullyParallel: false,
  // Each test has people, projects and addresses of its own, so files run in parallel.
  workers: 2,
  retries: 0,
  // Limits of waits, not promises: the Node tests run in parallel.
  timeout: 900_000,
  expect: { timeout: 120_000, toPass: { timeout: 300_000 } },
  reporter: [['list']],
  globalSetup: ['./build-console.ts', './platform/start-platform.ts'],
  // The long files of the platform come first. The demo's tests share nothing, so they fill both workers to the end.
  projects: [
    /** The whole platform, with agents that run. */
    { name: 'platform', testDir: './platform' },
    /** The console with its sample data, without any server. */
    { name: 'demo', testDir: './demo', fullyParallel: true },
  ],
  use: {
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] },
    viewport: { width: 1320, height: 860 },
    screenshot: 'only-on-failure',
    // Recording takes a fifth of the whole time, so it is only for the analysis of a failure.
    trace: process.env.PADDOCK_TRACE ? 'retain-on-failure' : 'off',
  },
});
