export * from './driver.ts';
export { type HostIndex, hostIndex } from './host-index.ts';
export { type HostRule, hostRulesDigest, type RefusedHost } from './hosts.ts';
export { type ProcessDriverOptions, processDriver } from './process/driver.ts';
export type { Log } from './process/host/log.ts';
export { withoutLauncher } from './process/output/launcher-lines.ts';
export { probe } from './process/probe.ts';
export { serviceRunner } from './process/services.ts';
export { stepRunner } from './process/steps.ts';
