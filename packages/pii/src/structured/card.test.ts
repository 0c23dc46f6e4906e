import { test } from 'node:test';
import { holds } from '../../test/matches.ts';

test('card numbers are found with and without groups', () => {
  holds('Credit Card', [
    '«4111 1111 1111 1111», «5500-0000-0000-0004», «340000000000009», «3782 822463 10005»',
    'pay with «4111111111111111».',
    'card: «4111 1111 1111 1111» 12/27 123',
    'Visa «4222222222222» is short',
    '{"cc":«4111111111111111»}',
    '{"card_number":"«1234 5678 9012 3456»"}',
  ]);
});

test('a wrong check digit is believed only close to a word about cards', () => {
  holds('Credit Card', ['4111 1111 1111 1112', 'your card number «4111 1111 1111 1112»', '9999 9999 9999 9999']);
});

test('identifiers, moments and books are no cards', () => {
  holds('Credit Card', [
    'order id 4111111111111111',
    '1716480000123, 20240511103045',
    'EAN 4006381333931, ISBN 9783161484100',
    'a4111111111111111, 4111111111111111a, 1.4111111111111111',
    '0000 0000 0000 0000',
    '{"transaction_id":"4111111111111111"}',
  ]);
});
