import {
  ChartLine,
  CreditCard,
  Database,
  FolderClosed,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Rocket,
  Settings,
  ShieldCheck,
} from 'lucide-react';

export type Page = {
  to: '/dashboard' | '/projects' | '/deployments' | '/databases' | '/api-keys' | '/metrics' | '/billing' | '/governance' | '/settings';
  label: string;
  keys: string;
  icon: LucideIcon;
};

/** The pages in the sidebar, in its order. The palette and the keyboard read the same list. */
export const pages: readonly Page[] = [
  { to: '/dashboard', label: 'Dashboard', keys: 'g d', icon: LayoutDashboard },
  { to: '/projects', label: 'Projects', keys: 'g p', icon: FolderClosed },
  { to: '/deployments', label: 'Deployments', keys: 'g e', icon: Rocket },
  { to: '/databases', label: 'Databases', keys: 'g b', icon: Database },
  { to: '/api-keys', label: 'API Keys', keys: 'g k', icon: KeyRound },
  { to: '/metrics', label: 'Metrics', keys: 'g m', icon: ChartLine },
  { to: '/billing', label: 'Billing', keys: 'g i', icon: CreditCard },
  { to: '/governance', label: 'Governance', keys: 'g g', icon: ShieldCheck },
  { to: '/settings', label: 'Settings', keys: 'g s', icon: Settings },
];
