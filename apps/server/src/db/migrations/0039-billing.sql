-- Subscriptions, what they cost, and what is asked of the payment provider. Money is in whole cents. packages/billing decides, this is its memory.

-- All that the next answer depends on, as the package of billing has it (`Account`; quantities as texts). Locked while an event is answered.
-- It outlives its team until nothing is under way: money that arrives for a team that is gone goes back.
create table billing_accounts (
  team_id text primary key,
  subscription_id text,
  status text not null,
  -- The plan in force; null on the free plan.
  plan text check (plan in ('starter', 'pro', 'enterprise')),
  account jsonb not null,
  -- When the next timer rings.
  due_at timestamptz,
  -- The newest try of the newest payment, as the provider told it.
  payment jsonb,
  -- When the provider is asked what became of it, and how often it was.
  look_at timestamptz,
  looks int not null default 0,
  -- Until then one server hands the team's orders to the provider.
  handing_until timestamptz,
  -- The team was deleted.
  gone_at timestamptz
);
create index billing_accounts_due on billing_accounts (due_at) where due_at is not null;
create index billing_accounts_look on billing_accounts (look_at) where look_at is not null;

-- When teams had a subscription: usage is charged for whole UTC days in it.
create table billing_spans (
  team_id text not null,
  from_at timestamptz not null,
  until_at timestamptz,
  primary key (team_id, from_at)
);

-- Events that are answered: each once.
create table billing_events (
  team_id text not null,
  key text not null,
  at timestamptz not null,
  primary key (team_id, key)
);

-- The last number that was given: invoices and credit notes of an installation are one series without gaps. Locked until the document is written.
create table billing_numbers (
  is_only boolean primary key default true check (is_only),
  last bigint not null default 0
);
insert into billing_numbers default values;

-- Invoices and credit notes: written once, never changed, kept when the team is gone, with seller and buyer as they were.
create table billing_documents (
  id text primary key,
  number bigint not null unique,
  -- The team may be deleted: the document stays.
  team_id text not null,
  kind text not null check (kind in ('invoice', 'credit_note')),
  at timestamptz not null,
  bill jsonb not null,
  -- The invoice that a credit note takes back.
  corrects text,
  tax_basis_points int not null,
  seller jsonb not null,
  buyer jsonb not null
);
create index billing_documents_team on billing_documents (team_id, number desc);

-- The ledger: only added to. Postings of one entry add up to zero.
create table billing_entries (
  seq bigint generated always as identity unique,
  team_id text not null,
  id text not null,
  kind text not null,
  at timestamptz not null,
  postings jsonb not null,
  primary key (team_id, id)
);

create function keep_forever() returns trigger language plpgsql as $$
begin
  raise exception 'invoices and entries of the ledger do not change';
end $$;
create trigger billing_documents_kept before update or delete on billing_documents for each row execute function keep_forever();
create trigger billing_entries_kept before update or delete on billing_entries for each row execute function keep_forever();

-- What the provider is to be asked for, in this order for one team, until it took it.
create table billing_orders (
  seq bigint generated always as identity primary key,
  team_id text not null,
  key text not null,
  body jsonb not null,
  tries int not null default 0,
  next_try_at timestamptz not null default now(),
  taken_at timestamptz,
  last_error text,
  unique (team_id, key)
);
create index billing_orders_waiting on billing_orders (team_id, seq) where taken_at is null;

-- Who pays with what, at which provider.
create table billing_customers (
  team_id text not null references teams on delete cascade,
  provider text not null,
  customer_id text not null,
  -- As the contract's PaymentMethod; null: none is saved.
  payment_method jsonb,
  primary key (team_id, provider)
);

-- Whom invoices are made out to.
create table billing_buyers (
  team_id text primary key references teams on delete cascade,
  buyer jsonb not null
);

-- What people are told, by mail and in the console.
create table billing_notices (
  id text primary key,
  team_id text not null references teams on delete cascade,
  kind text not null,
  at timestamptz not null,
  about jsonb not null,
  is_read boolean not null default false
);
create index billing_notices_team on billing_notices (team_id, at desc);

-- The console reads anew.
create trigger billing_accounts_changed after update of account on billing_accounts for each row execute function team_changed();
create trigger billing_customers_changed after update of payment_method on billing_customers for each row execute function team_changed();
create trigger billing_notices_changed after update of is_read on billing_notices for each row execute function team_changed();
