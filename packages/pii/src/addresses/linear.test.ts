import { test } from 'node:test';
import { growsLinearly } from '../../test/growth.ts';
import { computeGates } from '../gates.ts';
import { addressRule } from './rule.ts';

// biome-ignore format: a list of texts
const pieces = [
  '1', '12', '12 ', '12 A', '12 Aa ', '12 Aa St', '12 Aa St ', '12 Aa St, ', '12 Aa St\n', '12 St ', '1 a ', '1 Street Street ', '12 Aa Bb Cc Dd Ee Ff ', '12 Oak Park Hill View ', 'St 1 ', 'Hwy 1 ', '1 Hwy 1 ',
  'Aa 1 ', 'Aa 1, ', 'Straße 1 ', 'Straße 1, 12345 Aa ', 'Aastraße 1, ', 'Calle 1 ', 'Calle Aa 1 ', 'Calle Aa, 1, ', 'Via 1, 12345 ', 'Rua Aa 1, 1234-123 ', '1 rue ', '1 rue de la ', '1 bis rue de la ', 'Aa gracht 1, 1234 AB ',
  'PO Box 1 ', 'PO Box 1, ', 'P.O. Box 1\n', 'Postfach 1 ', 'Postfach 12 34 56 ', 'BP 1 ', 'Box 1 ', 'x 1 ', 'Flat 1, ', 'Flat 1, 1 Aa St, ', 'Apt 1 ', '1 Aa St Apt 1 ', '1 Aa St # 1 ', '1 Aa St, Apt 1, Apt 1, ',
  ', CA 90210 ', '1 Aa St, Aa, CA 90210 ', '1 Aa St, Aa, Bb, Cc, ', '1 Aa St,,,,, ', '1 Aa St\n\n\n\n', '1 Aa St, A1A 1A1 ', '1 Aa St, Aa AA1 1AA ', '1 Aa St, Aa de la ', '12345 Aa ', '1234 AB Aa ', '1234-123 Aa ', 'Germany 1 ',
  'address: 1 ', 'Address: 1 Aa', 'address:', 'address: 1\n', ': 1 ', '=1 ', 'lives at 1 ', 'lives at 1 Aa 1 ', '1 Aa 1 ', '1 1 Aa St ', '1-1 Aa ', '1/2 Aa ', '1, ', "1 l'Aa ", '1. ', '1: ', '1º ', '3º B ', '\\n1 Aa St',
];

test('no text makes the search for addresses take more than linear time, whatever it repeats', () => {
  for (const piece of pieces)
    growsLinearly(`addresses in ${JSON.stringify(piece)}`, piece, (text) => addressRule.find({ text, gates: computeGates(text) }));
});

test('no value under the key of an address takes more than linear time', () => {
  for (const piece of pieces.filter((_, at) => at % 8 === 0))
    growsLinearly(`address ${JSON.stringify(piece)}`, piece, (text) =>
      addressRule.find({ text, gates: computeGates(text), key: 'address' }),
    );
});
