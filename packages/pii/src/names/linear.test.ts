import { test } from 'node:test';
import { growsLinearly } from '../../test/growth.ts';
import { computeGates } from '../gates.ts';
import { nameRule } from './rule.ts';

// biome-ignore format: a list of texts
const pieces = [
  'A', 'Aa', 'Aa ', 'AA ', 'É', 'Éé ', 'A. ', 'A.', "A'", "Aa's ", 'Aa-', 'Mc', 'McA', 'Mr', 'Mr ', 'Mr. ', 'Dr. Dr. ', 'Dear ', 'Dear\n', 'Hi Anna, ', 'Anna', 'Anna ',
  'Anna\n', 'Anna, ', 'Anna and ', 'Anna & ', 'Smith ', 'John Smith ', 'John Smith, ', 'John van der ', 'van der ', 'de la ', 'San ', 'San Anna ', 'Paris ', 'Park ', 'Anna Park ',
  'Inc ', 'Anna Inc ', 'my name is ', 'name is a ', "name's ", 'name: ', 'Name: ', 'Name: Anna\n', "i'm ", "i'm anna ", ' for ', 'its ', 'its anna ', 'anna smith ', 'anna ', 'name? ', 'What is your name? ',
  'Best,\n', 'Best, Anna\n', 'Regards\n\n', '-- ', '– Anna\n', 'said ', 'Anna said ', ' said Anna', '"name":"', '"name":"Anna",', 'name,', 'name,name\n', 'name,b\nAnna,b\n', 'Anna,b\n', '"Anna,', '|', 'name|', '; ',
  'Xxxx ', 'Xxxx yyyy ', 'Xxxx Yyyy ', 'Xxxx, Yyyy ', 'XXXX/YYYY ', 'aA', 'aAa_', 'Aa_', 'Aa(', 'Aa1', '.Aa', 'by Xxxx Yyyy ', 'my sister ', 'my sister (', 'Anna 1 ', '1 Anna ', '&', ' & ', '?', ': ', '> ', '<name>',
  '\n- Anna', '. - Anna\n', '2 x Anna ', 'Anna   1   2.99\n', 'Anna, your ', 'Anna: a ', 'Anna is a b ', 'the Anna ', 'Anna GmbH ', 'city: Anna ', 'in Anna ', 'Paris and Anna ', 'John Deere ', 'Aa-Bb-',
];

test('no text makes the search for names take more than linear time, whatever it repeats', () => {
  for (const piece of pieces)
    growsLinearly(`names in ${JSON.stringify(piece)}`, piece, (text) => nameRule.find({ text, gates: computeGates(text) }));
});

test('no header of a table makes its rows take more than linear time', () => {
  for (const piece of ['Anna,b\n', 'Anna\n', ',,,,,,,,', '"', '"Anna, Smith",b\n', '\n', ','])
    growsLinearly(`rows of ${JSON.stringify(piece)}`, piece, (text) => {
      const table = `name,city,name\n${text}`;
      return nameRule.find({ text: table, gates: computeGates(table) });
    });
});

test('no value under the key of a name takes more than linear time', () => {
  for (const key of ['name', 'first_name'])
    for (const piece of pieces)
      growsLinearly(`${key} ${JSON.stringify(piece)}`, piece, (text) => nameRule.find({ text, gates: computeGates(text), key }));
});
