-- Mails that are to be sent, and for some days those that were.
create table mails (
  id text primary key,
  to_address text not null,
  template text not null,
  -- What the text needs, sealed since links are part of it; null once the mail was sent or given up.
  sealed bytea,
  key_id text,
  -- Tries so far. A try raises it, and its outcome counts only while it stands: a server that slept too long changes nothing.
  attempts integer not null default 0,
  -- When it may be tried (again). A try moves it ahead by as long as it may take, so no other server tries meanwhile.
  next_try_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  given_up_at timestamptz
);
create index mails_waiting on mails (next_try_at) where sent_at is null and given_up_at is null;
create index mails_age on mails (created_at);

-- Single-use links that were mailed: whoever has one reads the mail of that address. At most one of a purpose is live per person.
create table mailed_links (
  token_hash bytea primary key,
  purpose text not null,
  user_id text not null references users on delete cascade,
  -- The address that it was sent to, which it proves.
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (user_id, purpose)
);
create index mailed_links_expiry on mailed_links (expires_at);

-- Somebody asked for a reset link. Whether there is such an account is looked up afterwards, so that the answer cannot tell it.
create table reset_requests (
  id text primary key,
  email text not null,
  created_at timestamptz not null default now()
);
