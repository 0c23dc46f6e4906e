/** Which agents use a database now, as a sentence; empty while unknown. */
export function usersText(agents: readonly { id: string; project_name: string; environment: string }[] | undefined): string {
  if (!agents) return '';
  const [first] = agents;
  if (!first) return 'No running agent uses it.';
  const names = agents.slice(0, 3).map(({ id }) => `…${id.slice(-4)}`);
  const more = agents.length > names.length ? ` and ${agents.length - names.length} more` : '';
  return agents.length === 1
    ? `Currently used by one deployment of ${first.project_name}, ${first.environment} (${names[0]}).`
    : `Currently used by ${agents.length} deployments of ${first.project_name}, ${first.environment} (${names.join(', ')}${more}).`;
}
