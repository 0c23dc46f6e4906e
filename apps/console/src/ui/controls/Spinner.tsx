/** A three-quarter ring. It stands still with reduced motion; the text beside it says what is in progress. */
export function Spinner() {
  return (
    <svg viewBox="0 0 16 16" className="turning size-4 shrink-0" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray="28 10" />
    </svg>
  );
}
