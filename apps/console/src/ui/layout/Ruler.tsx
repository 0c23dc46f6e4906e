/** A decorative line, hidden from screen readers. */
export const Ruler = ({ faint = false }: { faint?: boolean }) => (
  <div aria-hidden="true" className={`ruler ruler-fading ${faint ? 'ruler-faint' : ''}`} />
);
