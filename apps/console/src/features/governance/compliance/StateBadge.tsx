import { Badge } from '../../../ui/feedback/Badge.tsx';
import type { Look } from './words.ts';

export const StateBadge = ({ look: { tone, glyph, word } }: { look: Look }) => (
  <Badge tone={tone} glyph={glyph}>
    {word}
  </Badge>
);
