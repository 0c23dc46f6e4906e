/** A button label that can change without changing the button's width, so that nothing beside it moves. */
export const SteadyWord = ({ word, widest }: { word: string; widest: string }) => (
  <span className="inline-grid justify-items-center">
    <span className="col-start-1 row-start-1">{word}</span>
    <span aria-hidden="true" className="invisible col-start-1 row-start-1">
      {widest}
    </span>
  </span>
);
