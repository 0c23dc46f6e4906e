export const policyTypes = ['data_retention', 'access_control', 'data_privacy', 'security'] as const;
export type PolicyType = (typeof policyTypes)[number];
export const policyStatuses = ['draft', 'active', 'archived'] as const;
export type PolicyStatus = (typeof policyStatuses)[number];
