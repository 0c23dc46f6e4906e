import type { ReactNode } from 'react';
import { Glyph, type GlyphName } from '../theme/Glyph.tsx';

export type Tone = 'info' | 'warning' | 'success' | 'error' | 'neutral';

export const toneLook = {
  info: 'bg-info-bg text-info-fg',
  warning: 'bg-warning-bg text-warning-fg',
  success: 'bg-success-bg text-success-fg',
  error: 'bg-error-bg text-error-fg',
  neutral: 'bg-neutral-bg text-neutral-fg',
} as const satisfies Record<Tone, string>;

export const toneText = {
  info: 'text-info-fg',
  warning: 'text-warning-fg',
  success: 'text-success-fg',
  error: 'text-error-fg',
  neutral: 'text-neutral-fg',
} as const satisfies Record<Tone, string>;

/** A state as glyph, word and colour, since many people cannot distinguish colours alone. */
export function Badge({ tone, glyph, children }: { tone: Tone; glyph: GlyphName; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-5.5 items-center gap-2 rounded-control border border-transparent pr-2 pl-1.5 text-xs font-semibold whitespace-nowrap ${toneLook[tone]}`}
    >
      <Glyph name={glyph} />
      {children}
    </span>
  );
}
