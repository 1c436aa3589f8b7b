/**
 * A zone may import every zone of a lower floor, or only those in `only`; of its own floor the zones in `beside`.
 * A name in `only` or `beside` is a zone or a whole floor.
 * @typedef {{ only?: string[], beside?: string[] }} Neighbors
 * @typedef {Neighbors & { rank: number }} Zone
 * @typedef {{ floor: string, files?: RegExp, zones?: Record<string, Neighbors>, frameworks?: boolean } & Neighbors} Floor
 */

/**
 * The one direction of imports, lowest floor first: a floor imports those above it in this list. A floor with `zones` is a
 * folder of folders, each a zone of its own: what they may know of each other is listed here, and a folder that is not
 * listed knows none of its neighbors. A floor with `files` holds these, wherever they lie.
 * @type {Floor[]}
 */
export const FLOORS = [
  { floor: 'lib/core' },

  // Pure: neither database nor network.
  { floor: 'lib/checks', only: ['lib/core'] },
  { floor: 'lib/schemas', only: ['lib/core', 'lib/checks'] },
  { floor: 'lib/plans', only: ['lib/core', 'lib/schemas'] },
  { floor: 'lib/state', only: ['lib/core', 'lib/checks', 'lib/schemas'] },

  // What touches the world, and knows nothing of monitors.
  {
    floor: 'lib/platform',
    zones: {
      live: { beside: ['lib/platform/db'] },
      mail: { beside: ['lib/platform/db'] },
      'page-front': { beside: ['lib/platform/db', 'lib/platform/live'] },
    },
  },
  { floor: 'lib/env.ts' },
  // How a check of each type is carried out: network, but no database.
  {
    floor: 'probes',
    files: /^lib\/checks\/(.+\/)?probe[^/]*$/,
    only: ['lib/core', 'lib/checks', 'lib/schemas', 'lib/platform/net'],
  },

  // Domain verbs. Monitors are put together with the others in the engine.
  { floor: 'lib/domain/context' },
  {
    floor: 'lib/domain',
    zones: {
      'api-keys': { beside: domain('audit') },
      organizations: { beside: domain('api-keys', 'audit') },
      people: { beside: domain('audit', 'organizations') },
      members: { beside: domain('audit', 'organizations', 'people') },
      webhooks: { beside: domain('audit', 'organizations') },
      incidents: { beside: domain('audit', 'notices', 'organizations', 'webhooks') },
      monitors: { beside: domain('audit', 'organizations') },
      maintenance: { beside: domain('audit', 'notices', 'organizations', 'monitors') },
      'status-pages': { beside: domain('audit', 'organizations', 'incidents', 'monitors') },
      subscribers: { beside: domain('audit', 'notices', 'status-pages') },
    },
  },

  { floor: 'lib/engine' },
  // From here on, code may know the web framework and the scheduler.
  { floor: 'lib/web/auth', frameworks: true },
  { floor: 'lib/web/http', frameworks: true },
  { floor: 'inngest', frameworks: true },
  { floor: 'components', frameworks: true, only: ['lib/core', 'lib/checks', 'lib/schemas'] },
  { floor: 'proxy.ts', frameworks: true },
  { floor: 'app', frameworks: true },
  { floor: 'bin', frameworks: true },
];

/**
 * Folders that are not the domain, and what of each is public: everybody else enters there, and a README.md says what is behind it.
 * @type {Record<string, string[]>}
 */
export const DOORS = {
  'lib/platform/page-front': ['index.ts', 'application.ts'],
  'lib/platform/postgres': ['index.ts'],
  'inngest/embedded': ['index.ts'],
  'bench/playground': ['index.ts'],
};

/** @param {string[]} names */
function domain(...names) {
  return names.map((name) => `lib/domain/${name}`);
}

/**
 * The zone that a path lies in: its floor, or on a floor with zones the folder or file below it. Null outside every floor.
 * @param {string} path
 * @returns {string | null}
 */
export function zoneOf(path) {
  const found =
    FLOORS.find(({ files }) => files?.test(path)) ?? FLOORS.find(({ floor }) => isBelow(path, floor));
  if (!found?.zones) return found?.floor ?? null;
  const [name = ''] = path.slice(found.floor.length + 1).split('/');
  return `${found.floor}/${name}`;
}

/**
 * What a zone may import.
 * @param {string} name as `zoneOf` returns it
 * @returns {Zone}
 */
export function zoneNamed(name) {
  const rank = FLOORS.findIndex(({ floor }) => isBelow(name, floor));
  const { floor = '', zones, only, beside } = FLOORS[rank] ?? {};
  return { rank, only, beside, ...zones?.[name.slice(floor.length + 1)] };
}

/**
 * Whether the code of a zone may know the web framework and the scheduler.
 * @param {string} name
 */
export function mayKnowFrameworks(name) {
  return FLOORS[zoneNamed(name).rank]?.frameworks === true;
}

/**
 * @param {string} path
 * @param {string} folder
 */
export function isBelow(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

/**
 * Whether a file is a test or helps only tests; those may import anything.
 * @param {string} path
 * @returns {boolean}
 */
export function isTestCode(path) {
  return isTestFile(path) || /^(e2e|bench)\//.test(path) || path === 'bin/test.mjs';
}

/**
 * Whether a file is a test, or lies in a folder of helpers of tests.
 * @param {string} path
 * @returns {boolean}
 */
export function isTestFile(path) {
  return /\.test\.(ts|tsx|mjs)$/.test(path) || /(^|\/)testing\//.test(path);
}
