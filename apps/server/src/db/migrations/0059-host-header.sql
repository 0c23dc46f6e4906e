-- What an agent is told as Host instead of the address that its visitors ask for; null: that address.
alter table routes add column host_header text;
-- The same, as it was found by asking.
alter table deployment_protocols add column host_header text;
