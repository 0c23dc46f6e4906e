/** The command that deploys from a terminal without the tool. Without a project it makes one first. */
export function curlLine(projectId: string | undefined, token = '$PADDOCK_TOKEN'): string {
  const base = `${location.origin}/api/v1`;
  const signedIn = `-H "Authorization: Bearer ${token}"`;
  const deploy = `curl -sS ${base}/deployments ${signedIn} -F project_id=${projectId ?? 'PROJECT_ID'} -F code=@agent.zip`;
  if (projectId) return deploy;
  return `curl -sS ${base}/projects ${signedIn} -H "Content-Type: application/json" -d '{"name":"my-first-agent"}'\n${deploy}`;
}
