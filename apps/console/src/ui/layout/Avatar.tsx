/** The person's initial, hidden from screen readers, since the name is beside it. */
export function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-base font-bold text-accent"
    >
      {(Array.from(name.trim())[0] ?? '?').toUpperCase()}
    </span>
  );
}
