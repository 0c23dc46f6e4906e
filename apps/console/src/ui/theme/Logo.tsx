/** The logo of Paddock, posts on a ruler, with the name unless `short`. */
export function Logo({ short = false }: { short?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2.5 text-md font-bold">
      <svg viewBox="0 0 16 16" className="size-4.5 shrink-0 fill-none stroke-accent stroke-[1.5]" aria-hidden="true">
        <path d="M.75 14h14.5M2.5 14V9M6.2 14V5.5M9.8 14V9M13.5 14V3" strokeLinecap="square" />
      </svg>
      <span className={short ? 'sr-only' : ''}>Paddock</span>
    </span>
  );
}
