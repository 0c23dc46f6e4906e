/** The current plan, as a small label in the header. */
export const PlanLabel = ({ plan }: { plan: string }) => (
  <span className="inline-flex h-6 items-center rounded-control border border-border px-2 text-xs font-semibold text-muted">
    <span className="sr-only">Plan: </span>
    {plan}
  </span>
);
