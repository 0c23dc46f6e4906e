import type { DataProtectionSettings } from '@paddock/contract/data-protection';
import type { RouteTaps } from '../taps/tap.ts';

export interface Target {
  host: string;
  port: number;
  /** `host:port`; connections are pooled by it. */
  key: string;
}

export interface Route {
  label: string;
  deployment_id: string | null;
  /** The team of the agent. */
  team_id: string;
  project_id: string;
  project_name: string;
  /** The project's settings for passing data. */
  protection: DataProtectionSettings;
  /** 'elsewhere': active where this gateway cannot reach it. */
  state: 'active' | 'starting' | 'stopped' | 'crashed' | 'elsewhere';
  /** Set if and only if the state is active. */
  target: Target | undefined;
  /** The Host header for the agent; null: the visitor's own. */
  host_header: string | null;
  version: number;
  /** Chosen when the route is loaded. */
  taps: RouteTaps;
}
