export const startedMessage = 'Deployment started! Check the deployments list for status.';
export const missingMessage = 'Please select a project and upload a file';
