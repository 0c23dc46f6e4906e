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
  /** Whose agent it is. */
  team_id: string;
  project_id: string;
  project_name: string;
  /** What the project wants done with the data that passes. */
  protection: DataProtectionSettings;
  /** 'elsewhere': it is active where this gateway cannot reach it. */
  state: 'active' | 'starting' | 'stopped' | 'crashed' | 'elsewhere';
  /** Set if and only if the state is active. */
  target: Target | undefined;
  /** What the agent is told as Host; null: what the visitor asked for. */
  host_header: string | null;
  version: number;
  /** Chosen when the route is loaded. */
  taps: RouteTaps;
}
