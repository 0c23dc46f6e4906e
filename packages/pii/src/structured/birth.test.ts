import { test } from 'node:test';
import { holds } from '../../test/matches.ts';

test('a date is a date of birth beside a cue, in many forms and languages', () => {
  holds('Date of Birth', [
    'DOB: «03/12/1985», born «1985-03-12», d.o.b. «12.03.85»',
    'born on «March 12th, 1985», birthday «12 March 1985», born «12-Mar-1985»',
    'geboren am «12. März 1985», Geburtsdatum: «12.03.1985»',
    'née le «1er mars 1985», date de naissance : «12/03/1985»',
    'nacido el «12 de marzo de 1985», fecha de nacimiento «12/03/1985»',
    'nata il «12 marzo 1985», data di nascita: «12/03/1985»',
    'nascido em «12 de março de 1985»',
    'geboren op «12 maart 1985», geboortedatum «12-03-1985»',
    '«03/12/1985» (date of birth)',
    '{"dob":"«1985-03-12»","birthDate":"«1985-03-12»T00:00:00Z"}',
    '{"dateOfBirth":«19850312»}',
  ]);
});

test('other dates, ages and years are none', () => {
  holds('Date of Birth', [
    'joined 2020-01-01, expires 03/27, invoice of 12.03.2024',
    'He is 39 years old, born in 1985.',
    '2024-05-11T10:30:45Z',
    'born «1985-03-12», joined 2010-04-01',
    '{"created_at":"1985-03-12","date":"1985-03-12"}',
    'born 99/99/1985, dob 1985-13-45',
  ]);
});
