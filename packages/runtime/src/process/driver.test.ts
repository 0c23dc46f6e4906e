import { driverSuite } from '../driver.suite.ts';
import * as sandboxed from '../test/sandboxed.ts';
import * as unsandboxed from '../test/unsandboxed.ts';

const module = (name: string) => new URL(`../test/${name}.ts`, import.meta.url).href;

driverSuite({ name: 'process', module: module('sandboxed'), createDriver: sandboxed.createDriver });
driverSuite({ name: 'process, unsandboxed', module: module('unsandboxed'), createDriver: unsandboxed.createDriver });
