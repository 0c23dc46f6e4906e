-- The form in which e-mail addresses are compared, which the application makes (`normalAddress` of the contract). `keyed_email` tells of which
-- spelling the key was made: while the release before writes accounts, which knows no keys, theirs are missing or of an address they had.
-- The application reads both kinds and keys what is without; so does the first start, and nothing here can collide.
alter table users add column email_key text;
alter table users add column keyed_email text;
create unique index users_email_key on users (email_key) where keyed_email = email;
create index users_unkeyed on users (created_at, id) where keyed_email is distinct from email;

-- Browsers in which somebody has signed in, each by a random token of its own: a stranger's guesses do not count against them.
create table device_tokens (
  user_id text not null references users on delete cascade,
  token_hash bytea not null,
  -- False for one that was given for a new password from a mail, until a whole sign-in, with the second factor, was made with it.
  is_proved boolean not null,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  primary key (user_id, token_hash)
);
create index device_tokens_age on device_tokens (used_at);
