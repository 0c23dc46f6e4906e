import { vi } from 'vitest';
import '../src/ui/theme/styles.css';

// As `expect.poll` in vitest.config.ts: a bound of the wait, not a promise. Vitest has no setting for this one, and waits a second.
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, { timeout: 60_000, ...(typeof options === 'number' ? { timeout: options } : options) });
