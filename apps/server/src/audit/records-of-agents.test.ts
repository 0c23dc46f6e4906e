// No change without its record, for calls about projects and what belongs to them.
import { AGENTS, testRecords } from '../../test/audit/record-tests.ts';

testRecords((group) => AGENTS.includes(group));
