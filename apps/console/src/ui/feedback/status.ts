import type { GlyphName } from '../theme/Glyph.tsx';
import type { Tone } from './Badge.tsx';

type Look = { tone: Tone; glyph: GlyphName; word: string };

/** The states of a deployment, each with its look on every page. */
export const statusLooks = {
  queued: { tone: 'info', glyph: 'ring', word: 'Queued' },
  building: { tone: 'warning', glyph: 'arc', word: 'Building' },
  deploying: { tone: 'warning', glyph: 'arc', word: 'Deploying' },
  active: { tone: 'success', glyph: 'disc', word: 'Active' },
  completed: { tone: 'success', glyph: 'tick', word: 'Completed' },
  failed: { tone: 'error', glyph: 'cross', word: 'Failed' },
  stopped: { tone: 'neutral', glyph: 'square', word: 'Stopped' },
} as const satisfies Record<string, Look>;

/** An unknown state is shown as received, in the neutral look. */
export const statusLook = (status: string): Look =>
  Object.hasOwn(statusLooks, status) ? statusLooks[status as keyof typeof statusLooks] : { tone: 'neutral', glyph: 'bar', word: status };

export const stages = ['queued', 'building', 'deploying', 'active'] as const;
export type Stage = (typeof stages)[number];

export type Notch = 'empty' | 'full' | 'working' | 'failed';

/** The states of the four notches. A failure without a known stage crosses the first. */
export function notches(status: string, failedAt: Stage = 'queued'): Notch[] {
  if (status === 'active' || status === 'completed') return stages.map(() => 'full');
  const at = stages.indexOf(status === 'failed' ? failedAt : (status as Stage));
  if (at < 0) return stages.map(() => 'empty');
  return stages.map((_, index) => {
    if (index < at) return 'full';
    if (index > at) return 'empty';
    return status === 'failed' ? 'failed' : 'working';
  });
}
