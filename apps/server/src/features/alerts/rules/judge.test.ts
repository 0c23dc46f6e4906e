import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertRules } from '@paddock/contract';
import { type AgentRuleName, judgeModelCost, judges, type Measured } from './judge.ts';

const well: Measured = {
  name: 'chat',
  requests: 100,
  failed: 0,
  p95_ms: 120,
  quarter: { requests: 300, failed: 0, avg_latency_ms: 80, uptime_percentage: 100 },
  down_minutes: 0,
  out_of_memory: 0,
  quiet_minutes: 0,
};
const verdict = (rule: AgentRuleName, measured: Partial<Measured>, threshold: number = alertRules[rule].threshold) =>
  judges[rule]({ ...well, ...measured }, threshold).is;

test('an agent that is well raises nothing, whatever the rule', () => {
  for (const rule of Object.keys(judges) as AgentRuleName[]) assert.equal(verdict(rule, {}), 'cleared', rule);
});

test('each rule opens beyond its threshold, closes well on the other side, and leaves what is between as it is', () => {
  const table: [AgentRuleName, Partial<Measured>[], string[]][] = [
    ['error_rate', [{ failed: 6 }, { failed: 5 }, { failed: 3 }], ['raised', 'left', 'cleared']],
    ['p95_latency', [{ p95_ms: 5001 }, { p95_ms: 5000 }, { p95_ms: 4000 }, { p95_ms: 3999 }], ['raised', 'left', 'left', 'cleared']],
    ['agent_down', [{ down_minutes: 2 }, { down_minutes: 1.9 }, { down_minutes: 0 }], ['raised', 'left', 'cleared']],
    ['out_of_memory', [{ out_of_memory: 1 }, { out_of_memory: 0 }], ['raised', 'cleared']],
    ['no_requests', [{ quiet_minutes: 60 }, { quiet_minutes: 59 }], ['raised', 'cleared']],
  ];
  for (const [rule, measured, expected] of table)
    assert.deepEqual(
      measured.map((each) => verdict(rule, each)),
      expected,
      rule,
    );
  const healthy = (uptime_percentage: number) =>
    verdict('health_score', { quarter: { ...well.quarter, failed: 300, avg_latency_ms: 1000, uptime_percentage } });
  // No request succeeds or is fast: a third of the score, the uptime, remains.
  assert.deepEqual([100, 10].map(healthy), ['raised', 'raised']);
  const slow = (uptime_percentage: number) =>
    verdict('health_score', { quarter: { ...well.quarter, avg_latency_ms: 1000, uptime_percentage } });
  assert.deepEqual([40, 52, 80].map(slow), ['raised', 'left', 'cleared'], '46.7, 50.7 and 60 of 100 against 50');
});

test('a few requests raise nothing, and none at all end what errors had raised', () => {
  assert.equal(verdict('error_rate', { requests: 19, failed: 19 }), 'left');
  assert.equal(verdict('p95_latency', { requests: 19, p95_ms: 60_000 }), 'left');
  for (const rule of ['error_rate', 'p95_latency'] as const) assert.equal(verdict(rule, { requests: 0, p95_ms: null }), 'cleared');
});

test('a message tells what was measured, against what, and what to do', () => {
  const raised = judges.error_rate({ ...well, failed: 80 }, 0.05);
  assert.deepEqual(raised, {
    is: 'raised',
    severity: 'critical',
    title: 'chat answers with errors',
    message: '80 % of 100 requests failed within five minutes; the rule allows 5 %. Its log tells why.',
  });
});

test('the figure of a message is beyond the threshold that it names, however close it is', () => {
  const message = (rule: AgentRuleName, measured: Partial<Measured>, threshold: number) => {
    const judged = judges[rule]({ ...well, ...measured }, threshold);
    return judged.is === 'raised' ? judged.message.split('. ')[0] : judged.is;
  };
  assert.equal(
    message('error_rate', { requests: 9999, failed: 501 }, 0.05),
    'Just over 5 % of 10K requests failed within five minutes; the rule allows 5 %',
  );
  assert.equal(
    message('p95_latency', { p95_ms: 5001 }, 5000),
    'One of twenty requests took longer than 5.00 s within five minutes; the rule allows 5.00 s.',
  );
  // (49.4 + 100 + 0) / 3
  const quarter = { ...well.quarter, avg_latency_ms: 1000, uptime_percentage: 49.4 };
  assert.match(message('health_score', { quarter }, 50) ?? '', /^Its health score was 49 of 100 .* the rule wants 50/);
  const costs = (cost_usd: number) => {
    const judged = judgeModelCost({ name: 'chat', cost_usd }, 5);
    return judged.is === 'raised' ? judged.message.split('. ')[0] : judged.is;
  };
  assert.equal(costs(5.001), 'They cost just over $5.00 today (UTC); the rule allows $5.00 a day');
  assert.equal(costs(5.01), 'They cost $5.01 today (UTC); the rule allows $5.00 a day');
});
