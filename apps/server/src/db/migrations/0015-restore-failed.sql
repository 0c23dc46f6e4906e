-- Of a restore: the server did not start when it was asked for, so what is there cannot be backed up before.
alter table database_tasks add column of_failed boolean not null default false;
