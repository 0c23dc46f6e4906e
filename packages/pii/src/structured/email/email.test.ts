import { test } from 'node:test';
import { holds } from '../../../test/matches.ts';

test('e-mail addresses are found in prose, in brackets, in links and in queries', () => {
  holds('Email', [
    'Write to «ada.lovelace+news@mail.example.co.uk».',
    'Ada <«ada@example.org»>, "Bob" <«bob_b@example.io»>',
    'mailto:«ada@example.org»?subject=x',
    'https://example.org/unsubscribe?email=«ada@example.org»&x=1',
    'GET /users?email=«ada%40example.org» HTTP/1.1',
    'contact:«ada@bücher.example», «josé@example.es»',
    "it's 'ada@example.org'".replace('ada@example.org', '«ada@example.org»'),
    'user@10.0.0.1 and user@localhost are no addresses of people, «x@y.co» is',
    'Ask «ada@example.com».Thanks',
    'wait...«ada@example.com»',
    '«"ada lovelace"@example.org» is quoted',
  ]);
});

test('spelled signs are understood in brackets, and as plain words only beside a cue', () => {
  holds('Email', [
    '«ada [at] example [dot] org»',
    '«ada(at)example.org»',
    'my email is «ada at example dot com»',
    'we met at the station dot com boom',
    'look at example dot com',
  ]);
});

test('what only has an @ is no e-mail address', () => {
  holds('Email', [
    'npm i @scope/pkg@1.2.3 left-pad@1.3.0',
    'git clone git@github.com:owner/repo.git',
    'postgres://user:secret@db.example.com:5432/main',
    'https://user:pass@example.com/',
    'logo@2x.png and getty@tty1.service',
    '@ada mentioned you @ 10.30',
    'a@b a@b. @example.com',
    'pkg@1.2.3-beta.alpha',
  ]);
});
