/** A button's word that changes without changing the width: what stands beside it must not move under the pointer. */
export const SteadyWord = ({ word, widest }: { word: string; widest: string }) => (
  <span className="inline-grid justify-items-center">
    <span className="col-start-1 row-start-1">{word}</span>
    <span aria-hidden="true" className="invisible col-start-1 row-start-1">
      {widest}
    </span>
  </span>
);
