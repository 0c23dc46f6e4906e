-- Tries of a deployment that began and did not end in order: the server died or hung meanwhile. Counted when a try begins, and taken back when it ends.
alter table deployments add column cut_short integer not null default 0;
