/** How far an incident is; in any order, and back from resolved by reopening. */
export const INCIDENT_STATUSES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;

/** How bad it is, the least first. */
export const INCIDENT_SEVERITIES = ['minor', 'major', 'critical'] as const;
