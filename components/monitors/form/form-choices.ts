/** What the monitor form offers; the server reads it from the schema, so that the two cannot differ. */
export type FormChoices = {
  types: readonly string[];
  intervals: readonly number[];
  methods: readonly string[];
  recordTypes: readonly string[];
  regions: readonly { id: string; location: string; isInPlan: boolean }[];
};

/** What the fields of a form are drawn from. */
export type FieldsProps = { values: Record<string, string>; errors: Record<string, string> };

/** What a monitor of each type watches, and how its target is written. */
export const TYPE_TEXTS: Record<string, { label: string; target: string; placeholder: string }> = {
  http: { label: 'HTTP', target: 'URL', placeholder: 'https://example.com/health' },
  tcp: { label: 'TCP', target: 'Host and port', placeholder: 'db.example.com:5432' },
  ping: { label: 'Ping', target: 'Host', placeholder: 'gateway.example.com' },
  dns: { label: 'DNS', target: 'Host name', placeholder: 'example.com' },
};

/** An interval in words. */
export function intervalText(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  return seconds === 60 ? '1 minute' : `${seconds / 60} minutes`;
}
