import type { LucideIcon } from 'lucide-react';

/** An entry of a menu: an action, or a link. */
export type MenuItem =
  | { label: string; icon?: LucideIcon; danger?: boolean; disabled?: boolean; onSelect: () => void; href?: never }
  | { label: string; icon?: LucideIcon; href: string; newTab?: boolean; danger?: never; disabled?: never; onSelect?: never };

/** Marks actions as dangerous; links stay as they are. */
export const dangerous = (items: readonly MenuItem[]): MenuItem[] =>
  items.map((item) => (item.href === undefined ? { ...item, danger: true } : item));
