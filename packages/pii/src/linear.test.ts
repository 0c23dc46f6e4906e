import { test } from 'node:test';
import { growsLinearly, hostile } from '../test/growth.ts';
import { detect, known, mask, maskStream } from './index.ts';

test('no text makes detection take more than linear time, whatever it repeats', () => {
  for (const piece of hostile) growsLinearly(`detect ${JSON.stringify(piece)}`, piece, (text) => detect(text));
});

test('the worst texts of each rule take linear time up to a mebibyte', () => {
  const worst = ['12 ', '4111 ', '(212) ', '::1 ', '1.1.1.1 ', 'a@', '12/03/1985 ', '123-45-6789 ', '{"a":', 'Aa '];
  for (const piece of worst) growsLinearly(`detect ${JSON.stringify(piece)}`, piece, (text) => detect(text), 1 << 20);
});

test('no string of a JSON document makes masking take more than linear time', () => {
  for (const piece of hostile) {
    growsLinearly(`mask ${JSON.stringify(piece)}`, piece, (text) => mask(`{"phone":${JSON.stringify(text)}}`, { format: 'json' }));
  }
});

test('values known from before are looked for in linear time', () => {
  const values = known();
  for (let at = 0; at < 900; at++) values.add('Name', `Aa Aa ${at}`);
  for (const piece of ['Aa ', 'Aa Aa ', '1 ', '123-', 'a', '1']) growsLinearly(`known ${piece}`, piece, (text) => values.find(text));
});

test('a stream is masked in linear time however it is cut', () => {
  for (const piece of ['4111 ', 'a@', 'Aa ', '1.1.1.1.', 'a', '+1 (212) 555-0147 x', 'data: {"a":"', 'data: {}\n\n']) {
    for (const format of ['text', 'events'] as const)
      growsLinearly(`${format} ${piece}`, piece, (text) => {
        const stream = maskStream({ format });
        for (let at = 0; at < text.length; at += 1000) stream.push(text.slice(at, at + 1000));
        stream.end();
      });
  }
});
