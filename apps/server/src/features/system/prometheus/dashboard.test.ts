import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertRules, dashboard, guide, queries } from '../../../../test/dashboard.ts';
import { typesOf } from '../../../../test/exposition.ts';
import { startApi } from '../../../../test/server.ts';

const metricsToken = 'token-of-the-dashboard';

async function told(t: Parameters<typeof startApi>[0]) {
  const { origin } = await startApi(t, { metricsToken });
  const answer = await fetch(`${origin}/-/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  return typesOf(await answer.text());
}
const namesIn = (text: string) => [...text.matchAll(/\bpaddock_[a-z_]+/g)].map(([name]) => name);

test("each metric of the dashboard's queries and variables, and of the guide's alerts, is one that the server tells", async (t) => {
  const types = await told(t);
  const known = new Set(
    [...types].flatMap(([name, type]) => (type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name])),
  );
  const definitions = dashboard().templating.list.flatMap(({ definition }) => definition ?? []);
  const asked = [...queries('5m').map(({ expr }) => expr), ...definitions, alertRules()].flatMap(namesIn);
  assert.ok(asked.length > 40, `${asked.length}`);
  assert.deepEqual(
    asked.filter((name) => !known.has(name)),
    [],
  );
  const unseen = [...types.keys()].filter((name) => !asked.some((one) => one.startsWith(name)));
  assert.deepEqual(unseen, [], 'metrics that no panel shows');
});

test('the guide has a row for each metric with its type, and for no other', async (t) => {
  const rows = [...guide().matchAll(/^\| `(paddock_[a-z_]+)` +\| (\w+) +\|/gm)].map(([, name = '', type = '']) => [name, type]);
  assert.deepEqual(new Map(rows as [string, string][]), await told(t));
});

test('the dashboard has panels with ids of their own, none above another, each with a query of the Prometheus that was chosen', () => {
  const { panels } = dashboard();
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const taken = new Map<string, string>();
  for (const { title, type, targets = [], datasource, gridPos } of panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.equal(taken.get(`${x} ${y}`), undefined, title);
        taken.set(`${x} ${y}`, title);
        assert.ok(x < 24, title);
      }
    if (type === 'row') continue;
    assert.equal(datasource?.uid, `\${${dashboard().templating.list[0]?.name}}`);
    assert.ok(targets.length > 0 && new Set(targets.map(({ refId }) => refId)).size === targets.length, title);
  }
});
