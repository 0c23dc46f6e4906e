/** What samples deploy to. It is made with its first deployment. */
export const sampleProject = 'my-first-agent';

/** The command that deploys from a terminal without the tool, to a project that it names. */
export const curlLine = (token = '$PADDOCK_TOKEN'): string =>
  `curl -sS ${location.origin}/api/v1/deployments -H "Authorization: Bearer ${token}" -F project_name=${sampleProject} -F code=@agent.zip`;
