import type { Language } from './agents.ts';

/** Time for which a gateway may go on sending visitors to the previous version: it polls the routes every 5 s when a notification is lost. */
const switchMs = 6_000;

/** An agent of the run, over all its deployments and projects, and the responses that its address may give. */
export interface Slot {
  index: number;
  language: Language;
  project: { id: string; host: string; name: string } | undefined;
  deployment_id: string | undefined;
  /** Deployments of the project that were active once, with their versions. */
  history: { id: string; version: string }[];
  /** The version that serves; undefined when none should. */
  current: string | undefined;
  /** The version that may begin to serve at any moment. */
  pending: string | undefined;
  previous: { version: string; until: number } | undefined;
  /** The time since which the agent must answer every visit; infinite while it is stopped, crashed or not there yet. */
  settledAt: number;
  made: number;
  isBusy: boolean;
}

export const newSlot = (index: number, language: Language): Slot => ({
  index,
  language,
  project: undefined,
  deployment_id: undefined,
  history: [],
  current: undefined,
  pending: undefined,
  previous: undefined,
  settledAt: Number.POSITIVE_INFINITY,
  made: 0,
  isBusy: false,
});

export const newVersion = (slot: Slot) => `agent-${slot.index}-version-${++slot.made}`;

/** From now on this version serves, and it alone once gateways have the new route. */
export function serves(slot: Slot, version: string | undefined) {
  if (slot.current && slot.current !== version) slot.previous = { version: slot.current, until: performance.now() + switchMs };
  slot.current = version;
  slot.pending = undefined;
  if (version === undefined) unsettle(slot);
  else slot.settledAt = Math.min(slot.settledAt, performance.now());
}

export const unsettle = (slot: Slot) => {
  slot.settledAt = Number.POSITIVE_INFINITY;
};

/** The versions that a visitor may get at this moment. */
export function allowed(slot: Slot): Set<string> {
  const versions = [
    slot.current,
    slot.pending,
    slot.previous && performance.now() < slot.previous.until ? slot.previous.version : undefined,
  ];
  return new Set(versions.filter((one) => one !== undefined));
}
