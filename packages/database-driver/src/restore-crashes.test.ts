import { databaseDriverSuite } from './driver.suite.ts';
import { createDriver } from './test/process-driver.ts';

const module = new URL('./test/process-driver.ts', import.meta.url).href;

databaseDriverSuite({ type: 'postgresql', module, createDriver }, ['restores cut off']);
