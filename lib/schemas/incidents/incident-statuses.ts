/** The statuses of an incident; any change is allowed, including reopening a resolved one. */
export const INCIDENT_STATUSES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
/** From least to most severe. */
export const INCIDENT_SEVERITIES = ['minor', 'major', 'critical'] as const;
