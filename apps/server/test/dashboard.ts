import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '../../../docs');

interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { refId: string; expr: string }[];
}
interface Dashboard {
  panels: Panel[];
  templating: { list: { name: string; type: string; definition?: string }[] };
}

/** The guide's dashboard, as Grafana reads it. */
export const dashboard = (): Dashboard => JSON.parse(readFileSync(join(docs, 'grafana-dashboard.json'), 'utf8')) as Dashboard;
export const guide = () => readFileSync(join(docs, 'observability.md'), 'utf8');

/** Every query of the panels, with the initial values of Grafana's variables. */
export const queries = (interval: string): { title: string; expr: string }[] =>
  dashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      title,
      expr: expr.replaceAll('$__rate_interval', interval).replaceAll('$project', '.*').replaceAll('$environment', '.*'),
    })),
  );

/** The alert rules in the guide. */
export const alertRules = (): string => /^groups:\n[^]*?(?=^```)/m.exec(guide())?.[0] ?? '';
