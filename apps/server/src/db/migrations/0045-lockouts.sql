-- Until when nothing is answered any more: set by the first refusal of a counter that locks. It may outlast the counter's window.
alter table rate_limits add column locked_until timestamptz;
