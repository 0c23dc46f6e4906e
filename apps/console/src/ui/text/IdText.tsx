/** An id in the mono face with its last four characters emphasised, which people compare and read aloud. */
export function IdText({ id }: { id: string }) {
  return (
    <span className="font-mono text-mono break-all text-subtle">
      {id.slice(0, -4)}
      <b className="font-bold text-text">{id.slice(-4)}</b>
    </span>
  );
}
