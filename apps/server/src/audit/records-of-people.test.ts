// No change without its record, for calls about people, their keys and their access.
import { PEOPLE, testRecords } from '../../test/audit/record-tests.ts';

testRecords((group) => PEOPLE.includes(group));
