import { playwright } from '@vitest/browser-playwright';
import { defineConfig, mergeConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

const launchOptions = { executablePath: process.env.PADDOCK_BROWSER || '/usr/bin/chromium', args: ['--no-sandbox'] };

/** Components are tested in a real browser, since focus, dialogs and the clipboard are what matters in them. */
export default mergeConfig(
  viteConfig,
  defineConfig({
    // Every dependency is known before the first test: one found late would reload the page, with a second React in it.
    optimizeDeps: { entries: ['src/**/*.{ts,tsx}'], include: ['vitest-browser-react'] },
    test: {
      include: ['src/**/*.test.{ts,tsx}'],
      // One browser page at a time: two would only compete for focus and for the machine.
      fileParallelism: false,
      setupFiles: ['test/setup.ts'],
      // Bounds of waits, not promises: the other stages run beside these.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 60_000 } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions }),
        instances: [{ browser: 'chromium' }],
        viewport: { width: 1320, height: 900 },
      },
    },
  }),
);
