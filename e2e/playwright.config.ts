import { defineConfig } from '@playwright/test';

// The test command says which; an empty one means Playwright's own. By hand it is the system's.
const executablePath = process.env.PADDOCK_BROWSER ?? '/usr/bin/chromium';

export default defineConfig({
  testMatch: '**/*.spec.ts',
  outputDir: './results',
  fullyParallel: false,
  // Each test has people, projects and addresses of its own, so files run beside each other.
  workers: 2,
  retries: 0,
  // Bounds of waits, not promises: the tests of Node run beside these.
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
    // Recording takes a fifth of the whole time, so it is for whoever looks into a failure.
    trace: process.env.PADDOCK_TRACE ? 'retain-on-failure' : 'off',
  },
});
