/**
 * A zone may import every zone of a lower rank, or only those in `only` where that is given; of its own rank it may
 * import the zones in `beside`. `only` and `beside` name the folders as in ZONES.
 * @typedef {{ rank: number, only?: string[], beside?: string[] }} Zone
 */

/** From this rank on a zone may know the web framework and the scheduler. */
export const FIRST_FRAMEWORK_RANK = 6;

/**
 * The one direction of imports, lowest first. Every folder below lib/ has to be here.
 * @type {Record<string, Zone>}
 */
export const ZONES = {
  'lib/core': { rank: 0 },

  'lib/db': { rank: 1 },
  'lib/net': { rank: 1 },
  'lib/postgres': { rank: 1 },

  // Pure: neither database nor network.
  'lib/schemas': { rank: 2, only: ['lib/core'] },
  'lib/hosts': { rank: 2, only: ['lib/core'] },
  'lib/plans': { rank: 2, only: ['lib/core'], beside: ['lib/schemas'] },
  'lib/state': { rank: 2, only: ['lib/core'], beside: ['lib/schemas'] },
  // Network, but no database.
  'lib/probes': { rank: 2, only: ['lib/core', 'lib/net'], beside: ['lib/schemas'] },

  'lib/env.ts': { rank: 3 },
  // What the shared cache is told, and the cache itself: answers in memory, the network is at the edge.
  'lib/page-changes': { rank: 3, only: ['lib/core', 'lib/db'] },
  // What those who look at the dashboard are told of as it happens.
  'lib/live': { rank: 3, only: ['lib/core', 'lib/db', 'lib/schemas'] },
  'lib/page-cache': { rank: 3, only: ['lib/core', 'lib/schemas', 'lib/hosts'], beside: ['lib/page-changes'] },
  'lib/context': { rank: 3, beside: ['lib/env.ts'] },
  'lib/mail': { rank: 3, beside: ['lib/context'] },

  // Domain verbs. What they may know of each other is listed; monitors are put together with the others in the engine.
  'lib/audit': { rank: 4 },
  'lib/notices': { rank: 4 },
  'lib/api-keys': { rank: 4, beside: ['lib/audit'] },
  'lib/organizations': { rank: 4, beside: ['lib/api-keys', 'lib/audit'] },
  'lib/people': { rank: 4, beside: ['lib/audit', 'lib/organizations'] },
  'lib/members': { rank: 4, beside: ['lib/audit', 'lib/organizations', 'lib/people'] },
  'lib/webhooks': { rank: 4, beside: ['lib/audit', 'lib/organizations'] },
  'lib/incidents': { rank: 4, beside: ['lib/audit', 'lib/notices', 'lib/organizations', 'lib/webhooks'] },
  'lib/monitors': { rank: 4, beside: ['lib/audit', 'lib/organizations'] },
  'lib/maintenance': { rank: 4, beside: ['lib/audit', 'lib/notices', 'lib/organizations', 'lib/monitors'] },
  'lib/status-pages': {
    rank: 4,
    beside: ['lib/audit', 'lib/organizations', 'lib/incidents', 'lib/monitors'],
  },

  'lib/subscribers': { rank: 4, beside: ['lib/audit', 'lib/notices', 'lib/status-pages'] },
  // Every sealed column, whatever verb writes it.
  'lib/secrets': { rank: 4 },

  'lib/engine': { rank: 5 },
  // Puts together what others do one at a time.
  'lib/demo': { rank: 6 },
  // Whether everything does its work, as any process sees it.
  'lib/health': { rank: 6 },
  'lib/auth': { rank: 6 },
  'lib/http': { rank: 7 },

  inngest: { rank: 8 },
  app: { rank: 8, beside: ['inngest', 'components'] },
  bin: { rank: 8, beside: ['inngest'] },
  'proxy.ts': { rank: 8 },
  components: { rank: 8, only: ['lib/schemas', 'lib/core'] },
};

/**
 * The zone that a path lies in: the folder, or the single file, below lib/ or at the root.
 * @param {string} path
 * @returns {string}
 */
export function zoneOf(path) {
  const [top = '', second = ''] = path.split('/');
  return top === 'lib' ? `lib/${second}` : top;
}

/**
 * Whether a file is a test or helps only tests; those may import anything.
 * @param {string} path
 * @returns {boolean}
 */
export function isTestCode(path) {
  return (
    /\.test\.(ts|tsx|mjs)$/.test(path) ||
    /(^|\/)testing\//.test(path) ||
    /^(e2e|bench)\//.test(path) ||
    path === 'bin/test.mjs'
  );
}
