/** Who may see a published page, apart from its schemas, which browsers do not need. */
export const VISIBILITIES = ['public', 'password', 'ip', 'members'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
