import { playwright } from '@vitest/browser-playwright';
import { defineConfig, mergeConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

const launchOptions = { executablePath: process.env.PADDOCK_BROWSER || '/usr/bin/chromium', args: ['--no-sandbox'] };

/** Components are tested in a real browser, since their focus, dialogs and clipboard use matter most. */
export default mergeConfig(
  viteConfig,
  defineConfig({
    // Lists every dependency before the first test: one discovered late would reload the page, with a second copy of React.
    optimizeDeps: { entries: ['src/**/*.{ts,tsx}'], include: ['vitest-browser-react'] },
    test: {
      include: ['src/**/*.test.{ts,tsx}'],
      // Run one browser page at a time: two would compete for focus and CPU.
      fileParallelism: false,
      setupFiles: ['test/setup.ts'],
      // These timeouts only bound waits: other stages run at the same time.
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
