import type { Control } from '../control.ts';
import { type DependencyParts, dependencyControl } from './dependencies.ts';
import { type ProvenanceParts, provenanceControl } from './provenance.ts';
import { type ProviderParts, providerControl } from './providers.ts';

export type PlatformParts = ProvenanceParts & DependencyParts & ProviderParts;

/** The controls over the platform itself and over what is deployed on it. */
export const platformControls = (parts: PlatformParts): Control[] => [
  provenanceControl(parts),
  dependencyControl(parts),
  providerControl(parts),
];
