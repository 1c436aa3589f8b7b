/** What the monitor form offers; the server reads it from the schema, so that the two cannot differ. */
export type FormChoices = {
  types: readonly string[];
  intervals: readonly number[];
  methods: readonly string[];
  regions: readonly { id: string; location: string; isInPlan: boolean }[];
};

/** What a monitor of each type watches, and how its target is written. */
export const TYPE_TEXTS: Record<string, { label: string; target: string; placeholder: string }> = {
  http: { label: 'HTTP', target: 'URL', placeholder: 'https://example.com/health' },
  tcp: { label: 'TCP', target: 'Host and port', placeholder: 'db.example.com:5432' },
  ping: { label: 'Ping', target: 'Host', placeholder: 'gateway.example.com' },
  dns: { label: 'DNS', target: 'Host name', placeholder: 'example.com or dns:example.com?type=MX' },
};
