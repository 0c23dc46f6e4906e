-- What payment providers have to remember. Nothing here refers to a team: providers outlive teams.

-- The test provider. A real one has this behind its own doors; here two servers and a restart share it.
create table test_customers (
  team_id text primary key,
  customer_id text not null unique
);

-- One payment for each invoice.
create table test_payments (
  team_id text not null,
  invoice_id text not null,
  payment_id text not null unique,
  cents bigint not null check (cents > 0),
  state text not null check (state in ('none', 'running', 'paid', 'declined', 'needs_confirmation', 'void')),
  attempt int not null,
  payment_method_id text not null,
  reason text,
  -- A slow one is paid from then on.
  settles_at timestamptz,
  -- How often the provider did not answer this attempt.
  silences int not null default 0,
  paid_back_cents bigint not null default 0 check (paid_back_cents <= cents),
  primary key (team_id, invoice_id)
);

-- What was asked under a key is done once.
create table test_payment_keys (
  team_id text not null,
  key text not null,
  primary key (team_id, key)
);

-- Which payment at Stripe belongs to an invoice: written before it is confirmed, so that no other one can ever be charged for it.
create table stripe_payments (
  team_id text not null,
  invoice_id text not null,
  -- Null: not made yet.
  intent_id text unique,
  -- No payment may be made any more.
  is_void boolean not null default false,
  -- What Stripe refused without trying the card, and in which attempt.
  refused_attempt int,
  refusal text,
  -- Stripe gives the answer of a failure of its own again under the same key: each failure changes the key.
  failures int not null default 0,
  primary key (team_id, invoice_id)
);
