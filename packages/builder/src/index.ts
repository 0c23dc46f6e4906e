export * from './plan.ts';
export * from './build-error.ts';
export * from './step.ts';
export { unpack } from './unpack/unpack.ts';
