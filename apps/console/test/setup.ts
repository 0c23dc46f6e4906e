import { vi } from 'vitest';
import '../src/ui/theme/styles.css';

// A timeout like that of `expect.poll` in vitest.config.ts: it only bounds the wait. Vitest has no setting for `waitFor`, whose default is
// a second.
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, { timeout: 60_000, ...(typeof options === 'number' ? { timeout: options } : options) });
