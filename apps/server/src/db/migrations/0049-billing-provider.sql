-- The payment provider that an account was made with: 'test', 'stripe_test' (a test key) or 'stripe'. What another provider paid for does not count.
-- Null: nothing was paid yet.
alter table billing_accounts add column provider text;

-- The provider of accounts from before: that of their newest payment.
update billing_accounts a
set provider = case when p.payment_id is null then 'stripe' else 'test' end
from (
  select distinct on (team_id) team_id, id
  from billing_entries
  where kind = 'payment'
  order by team_id, seq desc
) e
left join test_payments p on p.team_id = e.team_id and p.payment_id = e.id
where a.team_id = e.team_id;

-- A first payment that is under way.
update billing_accounts a
set provider = 'test'
where provider is null
  and exists (
    select 1
    from test_payments p
    where p.team_id = a.team_id
  );

create index billing_accounts_provider on billing_accounts (provider) where gone_at is null;
