const shapes = {
  ring: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  arc: <path d="M1.8 5.6a4.2 4.2 0 0 0 8.4 0" fill="none" stroke="currentColor" strokeWidth="1.7" />,
  disc: <circle cx="6" cy="6" r="4.2" fill="currentColor" />,
  tick: <path d="M1.8 6.4l2.9 2.9 5.5-6.3" fill="none" stroke="currentColor" strokeWidth="2" />,
  cross: <path d="M2.4 2.4l7.2 7.2M9.6 2.4l-7.2 7.2" fill="none" stroke="currentColor" strokeWidth="2" />,
  square: <rect x="2" y="2" width="8" height="8" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  bar: <path d="M2 6h8" fill="none" stroke="currentColor" strokeWidth="2" />,
  triangle: <path d="M6 1.8l4.6 8.2H1.4z" fill="none" stroke="currentColor" strokeWidth="1.5" />,
} as const;

export type GlyphName = keyof typeof shapes;

/** The shape of a state. It is drawn with lines in the text's colour, so it works with forced colours and colour blindness. */
export const Glyph = ({ name }: { name: GlyphName }) => (
  <svg viewBox="0 0 12 12" className="size-3 shrink-0" aria-hidden="true">
    {shapes[name]}
  </svg>
);
