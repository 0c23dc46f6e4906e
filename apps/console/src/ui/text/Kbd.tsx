/** A key or a sequence of keys: `⌘K`, `g d`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className="inline-flex h-5 items-center rounded-control border border-border bg-transparent px-1 font-mono text-xs font-normal whitespace-pre text-muted">
      {keys}
    </kbd>
  );
}
