import { test } from 'node:test';
import { holds } from '../../test/matches.ts';

test('social security numbers are found with separators, without them only beside a cue or under a key', () => {
  holds('SSN', [
    'SSN «123-45-6789»',
    'it is «219-09-9999», thanks',
    'social security number: «123 45 6789»',
    'his ssn is «123456789»',
    'ITIN «912-70-1234»',
    '{"ssn":«123456789»}',
    '{"socialSecurityNumber":"«123.45.6789»"}',
  ]);
});

test('numbers that are never given out, and numbers of other things, are none', () => {
  holds('SSN', [
    '000-12-3456, 666-12-3456, 123-00-4567, 123-45-0000, 912-34-5678',
    'order 123-45-6789',
    '123456789',
    '1123-45-6789, 123-45-67890, 123-45-6789-1',
    '{"order_id":"123-45-6789"}',
    'SKU 123-45-6789',
    'samples 123-45-6789 and 123-45-6790',
  ]);
});
