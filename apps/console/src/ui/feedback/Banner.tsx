import type { ReactNode } from 'react';
import { Glyph, type GlyphName } from '../theme/Glyph.tsx';
import { type Tone, toneLook } from './Badge.tsx';

const glyphs = { info: 'ring', warning: 'triangle', success: 'tick', error: 'cross', neutral: 'square' } as const satisfies Record<
  Tone,
  GlyphName
>;

/** A message about the whole page, shown for as long as it is true. */
export function Banner({ tone = 'info', children, action }: { tone?: Tone; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={`flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control px-3 py-2 text-base ${toneLook[tone]}`}>
      <div className="flex min-w-0 flex-1 items-start gap-3">
        <span className="mt-1">
          <Glyph name={glyphs[tone]} />
        </span>
        <div className="min-w-0 grow">{children}</div>
      </div>
      {action}
    </div>
  );
}
