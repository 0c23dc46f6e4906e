import { activitySuite } from '../activity.suite.ts';
import { driverSuite } from '../driver.suite.ts';
import * as sandboxed from '../test/sandboxed.ts';
import * as unsandboxed from '../test/unsandboxed.ts';

const module = (name: string) => new URL(`../test/${name}.ts`, import.meta.url).href;
const drivers = [
  { name: 'process', module: module('sandboxed'), createDriver: sandboxed.createDriver },
  { name: 'process, unsandboxed', module: module('unsandboxed'), createDriver: unsandboxed.createDriver },
];

for (const driver of drivers) {
  driverSuite(driver);
  activitySuite(driver);
}
