/** The line everything is measured from. Decoration: it says nothing, so nothing is read out. */
export const Ruler = ({ faint = false }: { faint?: boolean }) => (
  <div aria-hidden="true" className={`ruler ruler-fading ${faint ? 'ruler-faint' : ''}`} />
);
