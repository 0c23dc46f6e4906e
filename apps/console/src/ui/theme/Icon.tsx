import type { LucideIcon } from 'lucide-react';

/** An icon in the console's standard size and stroke. It never carries meaning alone, so it is hidden from screen readers. */
export const Icon = ({ of: Shape }: { of: LucideIcon }) => <Shape size={16} strokeWidth={1.75} className="shrink-0" aria-hidden="true" />;
