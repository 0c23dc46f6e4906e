import { Badge } from './Badge.tsx';
import { statusLook } from './status.ts';

/** The state of a deployment: the same glyph, word and colour on every page. */
export function StatusBadge({ status }: { status: string }) {
  const { tone, glyph, word } = statusLook(status);
  return (
    <Badge tone={tone} glyph={glyph}>
      {word}
    </Badge>
  );
}
