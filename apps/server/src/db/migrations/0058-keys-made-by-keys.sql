-- The key with the scope keys:write by which a program created this one; null where a person did. Revoking a key also ends the keys that it created.
alter table api_keys add column created_by_key text;
create index api_keys_created_by_key on api_keys (created_by_key) where created_by_key is not null;
