import type { ComplianceStatus, ControlResource, Waiver } from '@paddock/contract';
import type { Evidence } from './gather-evidence.ts';
import { style } from './style.ts';

type ControlEvidence = Evidence['controls'][number];

const statusNames: Record<ComplianceStatus, string> = { compliant: 'Compliant', in_review: 'In review', non_compliant: 'Non-compliant' };
const none = '<p>None.</p>';

/** A self-contained page: no script, no other file, no address. Each claim links to its evidence further down. */
export function renderReport(evidence: Evidence): string {
  const { name, status, made_at, made_by, team_id, team_name, controls, last_checked, coverage } = evidence;
  const title = `${name}: evidence of ${day(made_at)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<p class="means"><strong>This report shows readiness, as far as a program can show it.</strong> It is no certificate: certification needs an auditor.
What is not verified counts as not passing; what is not applicable, since there is nothing to look at, counts neither way.</p>
<dl class="facts">
<div><dt>Status</dt><dd class="${status}">${statusNames[status]}</dd></div>
<div><dt>Checks passed</dt><dd>${evidence.checks_passed} of ${controls.length}</dd></div>
<div><dt>Checks failed</dt><dd>${evidence.checks_failed}</dd></div>
<div><dt>Not verified</dt><dd>${evidence.checks_unverified}</dd></div>
<div><dt>Not applicable</dt><dd>${evidence.checks_not_applicable}</dd></div>
<div><dt>Coverage</dt><dd>${coverage}%</dd></div>
<div><dt>Oldest check</dt><dd>${last_checked ? escapeHtml(moment(last_checked)) : 'Some controls never ran'}</dd></div>
<div><dt>Team</dt><dd>${escapeHtml(team_name)} <small>${escapeHtml(team_id)}</small></dd></div>
<div><dt>Made</dt><dd>${escapeHtml(moment(made_at))} by ${escapeHtml(made_by)}</dd></div>
</dl>
</header>
<section>
<h2>Controls</h2>
<table>
<thead><tr><th>Control</th><th>Clauses</th><th>Result</th><th>Checked</th><th>Evidence</th></tr></thead>
<tbody>
${controls.map(row).join('\n')}
</tbody>
</table>
</section>
<section>
<h2>What failed</h2>
${violations(controls)}
</section>
<section>
<h2>What was accepted</h2>
${waivers(controls)}
</section>
<section>
<h2>Evidence</h2>
${controls.map(details).join('\n')}
</section>
</body>
</html>
`;
}

const day = (time: string) => time.slice(0, 10);
const moment = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
const anchor = (control: string) => `evidence-${control}`;
const linked = (control: string, text: string) => `<a href="#${escapeHtml(anchor(control))}">${escapeHtml(text)}</a>`;
const clausesText = (clauses: readonly string[]) => escapeHtml(clauses.join(', '));

/** The result in words. A stale result proves nothing, and a waived failure is no pass. */
function describeResult({ status, is_stale, is_waived, checked_at }: ControlEvidence): { text: string; kind: string } {
  if (checked_at === null) return { text: 'Not verified', kind: 'unverified' };
  if (status === 'failed') return { text: is_stale ? 'Failed (stale)' : 'Failed', kind: 'failed' };
  if (is_stale) return { text: 'Not verified (stale)', kind: 'unverified' };
  if (status === 'not_applicable') return { text: 'Not applicable', kind: 'unverified' };
  if (status === 'unverified') return { text: 'Not verified', kind: 'unverified' };
  return is_waived ? { text: 'Accepted by waiver', kind: 'waived' } : { text: 'Passed', kind: 'passed' };
}

function row(control: ControlEvidence): string {
  const { text, kind } = describeResult(control);
  return `<tr><td>${linked(control.control, `${control.control} ${control.title}`)}</td><td>${clausesText(control.clauses)}</td>
<td class="${kind}">${text}</td><td>${control.checked_at ? escapeHtml(moment(control.checked_at)) : 'Never'}</td>
<td>${linked(control.control, `${control.resources_total} looked at`)}</td></tr>`;
}

function violations(controls: readonly ControlEvidence[]): string {
  const lines = controls.flatMap(({ control, resources }) =>
    resources
      .filter(({ status, waiver_id }) => status === 'failed' && waiver_id === null)
      .map(({ name, id, finding }) => `<li>${linked(control, control)} ${escapeHtml(name ?? id)}: ${escapeHtml(finding)}</li>`),
  );
  return lines.length > 0 ? `<ul>\n${lines.join('\n')}\n</ul>` : none;
}

function waivers(controls: readonly ControlEvidence[]): string {
  const lines = controls.flatMap((control) => control.waivers.map((waiver) => waiverLine(control, waiver)));
  return lines.length > 0 ? `<ul>\n${lines.join('\n')}\n</ul>` : none;
}

const waiverLine = ({ control }: ControlEvidence, { resource_id, owner, reason, expires_at, created_at }: Waiver) =>
  `<li>${linked(control, control)} ${escapeHtml(resource_id ?? 'all that it finds')}: ${escapeHtml(reason)} (${escapeHtml(owner)}, from ${day(created_at)} until ${day(expires_at)})</li>`;

function details(control: ControlEvidence): string {
  const { text, kind } = describeResult(control);
  const { resources, resources_total, looked_at, version, checked_at, history } = control;
  return `<article id="${escapeHtml(anchor(control.control))}">
<h3>${escapeHtml(control.control)} ${escapeHtml(control.title)} <span class="${kind}">${text}</span></h3>
<p>Answers ${clausesText(control.clauses)}. ${control.scope === 'team' ? 'Judges the team.' : 'Judges the whole installation.'}
${checked_at ? `Checked ${escapeHtml(moment(checked_at))} by Paddock ${escapeHtml(version ?? '')}.` : 'Never checked.'}</p>
<p>${escapeHtml(looked_at ?? 'It has not run yet.')}</p>
${resources.map(renderResource).join('\n')}
${resources_total > resources.length ? `<p>${resources_total - resources.length} more were looked at; those that failed are shown first.</p>` : ''}
${history.length > 0 ? `<p class="history">Runs before: ${history.map((run) => `${escapeHtml(moment(run.checked_at))} ${run.status.replace('_', ' ')}`).join(' · ')}</p>` : ''}
</article>`;
}

function renderResource({ type, id, name, status, finding, clauses, evidence, fix, waiver_id }: ControlResource): string {
  return `<section class="resource">
<h4><span class="${waiver_id ? 'waived' : status}">${waiver_id ? `${status}, accepted` : status}</span> ${escapeHtml(name ?? id)} <small>${escapeHtml(type)} ${escapeHtml(id)}</small></h4>
<p>${escapeHtml(finding)}</p>
${clauses.length > 0 ? `<p>Breaks ${clausesText(clauses)}.</p>` : ''}
${fix ? `<p>To do: ${escapeHtml(fix.text)}</p>` : ''}
${evidence === null ? '' : `<pre>${escapeHtml(JSON.stringify(evidence, null, 2))}</pre>`}
</section>`;
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML, including attributes. */
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);
