import type { LucideIcon } from 'lucide-react';

/** An icon at the one size and stroke of the console. It never carries meaning alone, so it is hidden from readers. */
export const Icon = ({ of: Shape }: { of: LucideIcon }) => <Shape size={16} strokeWidth={1.75} className="shrink-0" aria-hidden="true" />;
