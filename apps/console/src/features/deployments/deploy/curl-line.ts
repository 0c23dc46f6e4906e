/** Project name in the sample commands. The project is created with its first deployment. */
export const sampleProject = 'my-first-agent';

/** The curl command that deploys without the command-line tool. */
export const curlLine = (token = '$PADDOCK_TOKEN'): string =>
  `curl -sS ${location.origin}/api/v1/deployments -H "Authorization: Bearer ${token}" -F project_name=${sampleProject} -F code=@agent.zip`;
