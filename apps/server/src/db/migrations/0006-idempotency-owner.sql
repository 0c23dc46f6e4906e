-- The process that works on the request: once it is gone, a repeated request need not wait.
alter table idempotency_keys add column owner text not null default '';
