-- When the payment method was saved: a first payment that is declined takes away the method it was made with, not one that was saved since.
-- Null: saved by an earlier release.
alter table billing_customers add column saved_at timestamptz;
