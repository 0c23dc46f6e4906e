/** A decorative line, hidden from screen readers. */
export const Ruler = () => <div aria-hidden="true" className="ruler ruler-fading ruler-faint" />;
