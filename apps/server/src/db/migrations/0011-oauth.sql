-- Who somebody is at a provider: its subject there, never an e-mail address. The issuer tells a self-hosted one from the public one.
create table identities (
  provider text not null,
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  email text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (provider, issuer, subject),
  unique (user_id, provider)
);

-- Sign-ins under way. A row is taken once: when the provider sends the browser back, or when it has expired.
create table oauth_states (
  state_hash bytea primary key,
  provider text not null,
  -- The session that asked to link; null for a sign-in. When it ends, so does the attempt.
  session_id text references sessions on delete cascade,
  -- The PKCE verifier and the nonce.
  sealed bytea not null,
  key_id text not null,
  expires_at timestamptz not null
);
create index oauth_states_expiry on oauth_states (expires_at);
create index oauth_states_session on oauth_states (session_id);

-- Sign-ins that the provider confirmed, and that wait for the second factor of their account.
create table oauth_waiting (
  state_hash bytea primary key,
  provider text not null,
  code_hash bytea not null,
  user_id text not null references users on delete cascade,
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index oauth_waiting_expiry on oauth_waiting (expires_at);
create index oauth_waiting_user on oauth_waiting (user_id);
