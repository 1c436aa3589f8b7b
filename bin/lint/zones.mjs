/**
 * A zone may import every zone of a lower floor, or only those in `only`, and on its own floor those in `siblings`.
 * A name in `only` or `siblings` is a zone or a whole floor.
 * @typedef {{ only?: string[], siblings?: string[] }} Neighbors
 * @typedef {Neighbors & { rank: number }} Zone
 * @typedef {{ floor: string, files?: RegExp, zones?: Record<string, Neighbors>, frameworks?: boolean } & Neighbors} Floor
 */

/**
 * The direction of imports, lowest floor first: a floor imports those above it in this list. In a floor with `zones`, each
 * folder is a zone, and may import only the siblings listed here. A floor with `files` contains these files, wherever they
 * are.
 * @type {Floor[]}
 */
export const FLOORS = [
  { floor: 'lib/core' },

  // Pure: neither database nor network.
  { floor: 'lib/checks', only: ['lib/core'] },
  { floor: 'lib/webhook-formats', only: ['lib/core'] },
  { floor: 'lib/schemas', only: ['lib/core', 'lib/checks', 'lib/webhook-formats'] },
  { floor: 'lib/plans', only: ['lib/core', 'lib/schemas'] },
  { floor: 'lib/state', only: ['lib/core', 'lib/checks', 'lib/schemas', 'lib/webhook-formats'] },
  { floor: 'lib/as-code', only: ['lib/core', 'lib/checks', 'lib/schemas', 'lib/webhook-formats'] },
  { floor: 'lib/importing', only: ['lib/core', 'lib/checks', 'lib/schemas'] },

  // Touches the world, and does not know monitors.
  {
    floor: 'lib/platform',
    zones: {
      backup: { siblings: ['lib/platform/db'] },
      live: { siblings: ['lib/platform/db'] },
      mail: { siblings: ['lib/platform/db'] },
      push: { siblings: ['lib/platform/net'] },
      postgres: { siblings: ['lib/platform/db'] },
      'page-front': { siblings: ['lib/platform/db', 'lib/platform/live'] },
    },
  },
  { floor: 'lib/setting-values.ts', only: [] },
  { floor: 'lib/env.ts' },
  // How this installation is run: for every message that names a command.
  { floor: 'lib/command-line.ts', only: ['lib/env.ts'] },
  // Runs a check of each type: network, but no database.
  {
    floor: 'probes',
    files: /^lib\/checks\/(.+\/)?probe[^/]*$/,
    only: ['lib/core', 'lib/checks', 'lib/schemas', 'lib/platform/net'],
  },

  // Who hears what: decides, and writes it. Takes what it needs to know as arguments.
  { floor: 'lib/notify' },

  // Domain verbs. The engine combines monitors with the others.
  { floor: 'lib/domain/context' },
  {
    floor: 'lib/domain',
    zones: {
      'api-keys': { siblings: domain('audit', 'tokens') },
      organizations: { siblings: domain('api-keys', 'audit') },
      'probe-tokens': { siblings: domain('tokens') },
      regions: { siblings: domain('audit', 'organizations', 'probe-tokens', 'tokens') },
      probes: { siblings: domain('regions') },
      push: { siblings: [] },
      secrets: { siblings: domain('push') },
      'email-recipients': { siblings: domain('audit', 'organizations') },
      'mail-server': { siblings: domain('audit') },
      people: { siblings: domain('audit', 'email-recipients', 'organizations') },
      members: { siblings: domain('audit', 'organizations', 'people') },
      webhooks: { siblings: domain('audit', 'organizations', 'regions') },
      incidents: { siblings: domain('audit', 'notices', 'organizations', 'webhooks') },
      monitors: { siblings: domain('audit', 'organizations', 'regions') },
      listeners: { siblings: domain('email-recipients', 'monitors', 'push', 'webhooks') },
      markers: { siblings: domain('audit', 'organizations') },
      reports: { siblings: domain('monitors') },
      timelines: { siblings: domain('audit', 'incidents', 'markers', 'monitors') },
      maintenance: { siblings: domain('audit', 'notices', 'organizations', 'monitors') },
      'status-pages': {
        siblings: domain('audit', 'organizations', 'incidents', 'monitors', 'notices', 'tokens'),
      },
      subscribers: { siblings: domain('audit', 'notices', 'status-pages', 'webhooks') },
    },
  },

  { floor: 'lib/engine' },
  // From here on, code may know the web framework and the scheduler.
  { floor: 'lib/web/auth', frameworks: true },
  { floor: 'lib/web/http', frameworks: true },
  { floor: 'inngest', frameworks: true },
  {
    floor: 'components',
    frameworks: true,
    only: ['lib/core', 'lib/checks', 'lib/schemas', 'lib/importing'],
  },
  { floor: 'proxy.ts', frameworks: true },
  { floor: 'app', frameworks: true },
  { floor: 'bin', frameworks: true },

  // Packages of their own, which import nothing else.
  { floor: 'clients', only: [] },
];

/**
 * Self-contained folders and their public files. All other code imports only these. Each folder has a README.md.
 * @type {Record<string, string[]>}
 */
export const DOORS = {
  'lib/platform/page-front': ['index.ts', 'application.ts'],
  'lib/platform/postgres': ['index.ts'],
  'inngest/embedded': ['index.ts'],
  'bench/playground': ['index.ts'],
  'lib/notify': [
    'change.ts',
    'read-facts.ts',
    'read-messages.ts',
    'plan.ts',
    'write-plan.ts',
    'emit-events.ts',
    'flapping.ts',
    'flapping-rows.ts',
    'held-rows.ts',
    'story-rows.ts',
    'announce-rest.ts',
    'read-story-incidents.ts',
    'message.ts',
    'acknowledge-link.ts',
    'notices.ts',
    'region-names.ts',
  ],
  'lib/webhook-formats': ['formats.ts', 'format.ts', 'message.ts', 'request.ts', 'editable.ts'],
};

/**
 * Folders that see the product only from outside: all they import of this repository, each with the reason. Only their
 * neighbors import them.
 * @type {Record<string, { neighbors: string, imports: Record<string, string> }>}
 */
export const FENCES = {
  'bench/faults': {
    neighbors: 'bench',
    imports: {
      'bench/playground': 'starts PostgreSQL and reads options; knows no monitors',
      'bin/testing/patience.mjs': 'measures how slow this machine is',
      'inngest/testing': 'an Inngest server, which talks to the processes over HTTP as a real one does',
      'lib/core/ports.ts': 'finds free ports',
      'lib/env.ts': 'the names of the settings, which are public, and the environment of child processes',
      'lib/testing/tiny-disk.ts': 'mounts a disk of limited size',
    },
  },
};

/** @param {string[]} names */
function domain(...names) {
  return names.map((name) => `lib/domain/${name}`);
}

/**
 * The zone of a path: its floor or, in a floor with zones, the folder or file below it. Null outside every floor.
 * @param {string} path
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
 */
export function zoneNamed(name) {
  const rank = FLOORS.findIndex(({ floor }) => isBelow(name, floor));
  const { floor = '', zones, only, siblings } = FLOORS[rank] ?? {};
  return { rank, only, siblings, ...zones?.[name.slice(floor.length + 1)] };
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
 * Whether a file is a test or a test helper; those may import anything.
 * @param {string} path
 */
export function isTestCode(path) {
  return isTestFile(path) || /^(e2e|bench)\//.test(path) || /^bin\/(test|unit|mutate)\.mjs$/.test(path);
}

/**
 * Whether a file is a test, or is in a folder of test helpers.
 * @param {string} path
 */
export function isTestFile(path) {
  return /\.test\.(ts|tsx|mjs)$/.test(path) || /(^|\/)testing\//.test(path);
}
