export * from './build-error.ts';
export { makePlan } from './detect/make-plan.ts';
export type { PlanSettings } from './detect/settings.ts';
export type { Toolchains } from './detect/toolchains.ts';
export * from './plan.ts';
export * from './step.ts';
export { unpack } from './unpack/unpack.ts';
