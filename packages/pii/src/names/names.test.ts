import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detect } from '../index.ts';

const namesIn = (text: string) => detect(text, { types: new Set(['Name']) }).map(({ start, end }) => text.slice(start, end));

function finds(texts: Record<string, string[]>) {
  for (const [text, names] of Object.entries(texts)) assert.deepEqual(namesIn(text), names, text);
}

test('who introduces himself is found, in seven languages and in small letters', () => {
  finds({
    'My name is Xanthe Quillfeather.': ['Xanthe Quillfeather'],
    'hi, my name is marcus odell and i need help': ['marcus odell'],
    'Mein Name ist Annegret Sommerfeld.': ['Annegret Sommerfeld'],
    "Je m'appelle Clémence Aubertin.": ['Clémence Aubertin'],
    'Me llamo Rocío Villalobos.': ['Rocío Villalobos'],
    'Mi chiamo Ludovica Ferrante.': ['Ludovica Ferrante'],
    'O meu nome é Leonor Vasconcelos.': ['Leonor Vasconcelos'],
    'Mijn naam is Marieke van der Veen.': ['Marieke van der Veen'],
  });
});

test('titles, greetings, labels and the ends of letters tell names that no list has', () => {
  finds({
    'Please ask Mrs. Quorlith about it.': ['Quorlith'],
    'Sehr geehrter Herr Wrobelkamp,': ['Wrobelkamp'],
    'Hi Zyanya,': ['Zyanya'],
    'Patient: Quorlith Vandrax': ['Quorlith Vandrax'],
    'See you on Monday.\n\nBest regards,\nQuorlith': ['Quorlith'],
    '**Name:** Quorlith Vandrax': ['Quorlith Vandrax'],
  });
});

test('first names and last names are found without any hint', () => {
  finds({
    'Yesterday Priya Raman and Tobias moved the deadline.': ['Priya Raman', 'Tobias'],
    "We've noticed a login to Brandon's account.": ['Brandon'],
    'The report was written by Odalys Ferreira.': ['Odalys Ferreira'],
  });
});

test('who was named in full is found by one word later', () => {
  finds({ 'Dr. Nathaniel Obiora said no. Later Obiora agreed.': ['Nathaniel Obiora', 'Obiora'] });
});

test('keys of JSON tell names, whatever they look like, and things that are no names', () => {
  finds({
    '{"first_name":"xq","lastName":"Vandrax","city":"Victoria","product":"Jasper"}': ['xq', 'Vandrax'],
    '{"customer":{"name":"Quorlith Vandrax"},"project":{"name":"Lincoln Redesign"}}': ['Quorlith Vandrax'],
    '{"arguments":"{\\"full_name\\":\\"Odalys Ferreira\\"}"}': ['Odalys Ferreira'],
  });
});

test('the heads of tables tell which cells hold names', () => {
  finds({
    'id,first_name,last_name\n1,Quorlith,Vandrax\n2,Zyanya,Tan': ['Quorlith', 'Vandrax', 'Zyanya', 'Tan'],
    '| Guest | Room |\n|---|---|\n| Quorlith Vandrax | 12 |': ['Quorlith Vandrax'],
    'sku,title\n10,Madison Chair\n11,Park Row Jacket': [],
  });
});

test('months, towns, firms, streets, models, verbs and code are no names', () => {
  finds({
    'Will you mark April and May? I may grant access.': [],
    'Compare Wells Fargo, Morgan Stanley and Johnson & Johnson.': [],
    'From Austin to San Francisco and Jackson, then Madison Avenue.': [],
    'Can Claude or Gemini beat Llama 3.3?': [],
    'Hi there! Dear Customer, Thanks Team, Best Wishes.': [],
    'at com.acme.Frank.checkout(MariaService.java:118)': [],
    'Victoria Park, Charlotte Airport and Morgan Freight Inc.': [],
  });
});
