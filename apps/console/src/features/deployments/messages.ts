export const startedMessage = 'Deployment started! Check the deployments list for status.';
export const restartedMessage = 'Restart started';
export const addressMissingMessage = 'Enter a PostgreSQL URL, a Redis URL, or both';
export const missingMessage = 'Please select a project and upload a file';

export const databaseWords = { managed: 'Managed', byo: 'BYO', none: 'None' } as const;
export const environmentWords = { production: 'Production', preview: 'Preview' } as const;
