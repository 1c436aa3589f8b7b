/** Help next to a field: what it is about, in three sentences, and where to read more. */
type Help = { title: string; sentences: readonly [string, string, string]; href: string };

/** What a “?” in the interface explains. Descriptors of fields name a topic as `help`. */
export const HELP_TOPICS = {
  thresholds: {
    title: 'Thresholds',
    sentences: [
      'A monitor is down after this many failures in a row: failed checks, or missed calls of a job.',
      'With several regions, each counts its own checks.',
      'Higher numbers mean fewer false alarms, and later alerts.',
    ],
    href: '/docs/guide#monitors',
  },
  recovery: {
    title: 'Recovery',
    sentences: [
      'A monitor that is down recovers after this many successes in a row.',
      'With several regions, each counts its own checks.',
      'A higher number avoids alerts that come and go while a target is unstable.',
    ],
    href: '/docs/guide#monitors',
  },
  slow: {
    title: 'Slow checks',
    sentences: [
      'A check that succeeds but takes longer than this is slow.',
      'As many slow checks in a row as it takes failed ones to alert make the monitor degraded, never down.',
      'With several regions, a majority of them must be slow.',
    ],
    href: '/docs/guide#monitors',
  },
  regions: {
    title: 'Regions',
    sentences: [
      'Each region checks the target by itself, from where its worker or probe runs.',
      'A monitor with several regions is down only when a majority of them fail.',
      'Regions that run on one machine fail together, so run a worker elsewhere for a second opinion.',
    ],
    href: '/docs/guide/operate/fleet#several-regions',
  },
  quorum: {
    title: 'How many regions must agree',
    sentences: [
      'A majority of the regions decides: 2 of 3, 3 of 5, and both of two.',
      'If fewer of them fail, the monitor is degraded.',
      'A region without recent results has no vote until it delivers again.',
    ],
    href: '/docs/guide#monitors',
  },
  grace: {
    title: 'Grace',
    sentences: [
      'The job is late when no call has arrived by the expected time plus the grace.',
      'If the job reports its start, the run may take as long as the grace, but always at least a minute.',
      'Choose more than its runs usually vary.',
    ],
    href: '/docs/heartbeats#when-a-heartbeat-is-late',
  },
  rules: {
    title: 'Rules',
    sentences: [
      'Without rules, everything that is chosen above is sent.',
      'With rules, a change is sent if it meets every condition of at least one of them.',
      'Once an incident was sent, what follows about it is sent as well.',
    ],
    href: '/docs#rules',
  },
} as const satisfies Record<string, Help>;

export type HelpTopic = keyof typeof HELP_TOPICS;
