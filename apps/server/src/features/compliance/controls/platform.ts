import type { Control } from '../control.ts';
import { type DependencyParts, dependencyControl } from './dependencies.ts';
import { type EgressParts, egressControl } from './egress.ts';
import { type IncidentParts, incidentControl } from './incidents.ts';
import { type IsolationParts, isolationControl } from './isolation.ts';
import { type LineageParts, lineageControl } from './lineage.ts';
import { type ProvenanceParts, provenanceControl } from './provenance.ts';
import { type ProviderParts, providerControl } from './providers.ts';
import { type TlsParts, tlsControl } from './tls.ts';

export type PlatformParts = ProvenanceParts &
  DependencyParts &
  ProviderParts &
  IsolationParts &
  EgressParts &
  TlsParts &
  LineageParts &
  IncidentParts;

/** Controls for the platform itself and for deployments. */
export const platformControls = (parts: PlatformParts): Control[] => [
  provenanceControl(parts),
  dependencyControl(parts),
  providerControl(parts),
  isolationControl(parts),
  egressControl(parts),
  tlsControl(parts),
  lineageControl(parts),
  incidentControl(parts),
];
