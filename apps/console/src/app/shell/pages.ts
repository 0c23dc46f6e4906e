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

/** The tabs of pages, which the palette finds by their names. The first tab of each page is the page. */
export const tabPages = [
  { page: '/billing', tab: 'usage', label: 'Usage & Costs' },
  { page: '/billing', tab: 'invoices', label: 'Invoices & Payments' },
  { page: '/governance', tab: 'compliance', label: 'Compliance Status' },
  { page: '/governance', tab: 'policies', label: 'Policies' },
  { page: '/governance', tab: 'data-governance', label: 'Data Governance' },
  { page: '/settings', tab: 'alerts', label: 'Alert rules and channels' },
  { page: '/settings', tab: 'model-prices', label: 'Model prices' },
  { page: '/settings', tab: 'data-protection', label: 'Data protection' },
  { page: '/metrics', tab: 'traces', label: 'Traces' },
] as const;
