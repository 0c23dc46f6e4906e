import type { Language } from './agents.ts';

/** How long a gateway may go on sending visitors to the version before: it looks at the routes every 5 s when a notice is lost. */
const switchMs = 6_000;

/** One of the agents of the run, over all its deployments and projects, and what its address may answer. */
export interface Slot {
  index: number;
  language: Language;
  project: { id: string; host: string; name: string } | undefined;
  deployment_id: string | undefined;
  /** Deployments of the project that were active once, with their versions. */
  history: { id: string; version: string }[];
  /** What serves; undefined when nothing should. */
  current: string | undefined;
  /** May begin to serve at any moment. */
  pending: string | undefined;
  previous: { version: string; until: number } | undefined;
  /** Since when every visit must be answered by the agent; never while it is stopped, crashed or not yet there. */
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

/** From now on this version serves, and nothing else once gateways have heard of it. */
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
