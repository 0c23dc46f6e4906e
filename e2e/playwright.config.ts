import { defineConfig } from '@playwright/test';

// The system's own browser; `PADDOCK_CHROMIUM` names another one.
const executablePath = process.env.PADDOCK_CHROMIUM ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: './results',
  fullyParallel: false,
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 5000 },
  reporter: [['list']],
  globalSetup: './build-console.ts',
  use: {
    actionTimeout: 5000,
    navigationTimeout: 10_000,
    launchOptions: { executablePath, args: ['--no-sandbox'] },
    viewport: { width: 1320, height: 860 },
    trace: 'retain-on-failure',
  },
});
