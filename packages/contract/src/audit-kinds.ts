export { type AuditActionType, type AuditStatus, auditActionTypes, auditStatuses } from '@paddock/audit/event';
