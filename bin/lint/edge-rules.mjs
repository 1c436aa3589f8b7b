import {
  DOORS,
  FENCES,
  isBelow,
  isTestCode,
  isTestFile,
  mayKnowFrameworks,
  zoneNamed,
  zoneOf,
} from './zones.mjs';

/**
 * A rule for one import of the file at `path`: why it may not have it; null if it may.
 * @typedef {(edge: import('./import-graph.mjs').Edge, path: string, graph: ImportGraph) => string | null} EdgeRule
 * @typedef {import('./import-graph.mjs').ImportGraph} ImportGraph
 */

const FRAMEWORKS = ['next', 'next-auth', 'inngest', 'react', 'react-dom'];
/** Zones that self-contained folders must not import. */
const DOMAIN = ['lib/domain', 'lib/engine', 'lib/web'];

/**
 * One direction of imports, including types: a zone imports only lower ones.
 * @type {EdgeRule}
 */
const checkDirection = ({ specifier, typeOnly, to }, path) => {
  if (isTestCode(path)) return null;
  if (to.kind === 'missing') return `${specifier} does not exist`;
  if (to.kind !== 'file') return null;
  if (isTestCode(to.path)) return `${to.path} is for tests only`;
  const [from, target] = [zoneOf(path), zoneOf(to.path)];
  if (from === target || from === null || target === null) return null;
  const importer = zoneNamed(from);
  const names = (/** @type {string[]} */ zones) => zones.some((zone) => isBelow(target, zone));
  if (from === 'components' && typeOnly && target.startsWith('lib/')) return null;
  if (names(importer.siblings ?? [])) return null;
  if (importer.only && !names(importer.only)) {
    return `${from} may import only ${importer.only.join(', ')}, not ${target}`;
  }
  const { rank } = zoneNamed(target);
  if (rank < importer.rank) return null;
  return `${from} must not import ${target}, which is ${rank === importer.rank ? 'next to' : 'above'} it`;
};

/**
 * The engine, the domain verbs and all lower floors import neither the web framework nor the scheduler, not even types.
 * @type {EdgeRule}
 */
const checkFrameworks = ({ specifier, to }, path) => {
  const zone = zoneOf(path);
  if (isTestCode(path) || zone === null || mayKnowFrameworks(zone)) return null;
  return to.kind === 'package' && FRAMEWORKS.includes(to.name) ? `${zone} must not know ${specifier}` : null;
};

/** Packages that browsers should not load: what needs them runs on the server. */
const SERVER_PACKAGES = ['ipaddr.js'];
/** Code that they should not load either: it renders what is sent. */
const SERVER_FOLDERS = ['lib/webhook-formats'];

/**
 * Components may run in the browser: their imports from lib must not reach a Node builtin, nor a package or folder of the server, at run time.
 * @type {EdgeRule}
 */
const checkBrowserSafe = ({ specifier, typeOnly, to }, path, graph) => {
  if (!path.startsWith('components/') || isTestCode(path) || typeOnly) return null;
  const chain = findServerOnly(graph, to, new Set());
  return chain && `${specifier} is not for browsers: ${chain.join(' → ')}`;
};

/**
 * The chain from an import to the first module that is only for the server; null if there is none.
 * @param {ImportGraph} graph
 * @param {import('./resolve-import.mjs').Resolution} to
 * @param {Set<string>} seen
 * @returns {string[] | null}
 */
function findServerOnly(graph, to, seen) {
  if (to.kind === 'package') {
    return to.name.startsWith('node:') || SERVER_PACKAGES.includes(to.name) ? [to.name] : null;
  }
  if (to.kind !== 'file' || seen.has(to.path)) return null;
  if (SERVER_FOLDERS.some((folder) => isBelow(to.path, folder))) return [to.path];
  seen.add(to.path);
  for (const edge of graph.get(to.path)?.edges ?? []) {
    const chain = edge.typeOnly ? null : findServerOnly(graph, edge.to, seen);
    if (chain) return [to.path, ...chain];
  }
  return null;
}

/**
 * Self-contained folders are imported only through their public files; tests may also use their `testing` folder. They do
 * not import the domain, not even its types; their own tests may.
 * @type {EdgeRule}
 */
const checkDoors = ({ to }, path) => {
  if (to.kind !== 'file') return null;
  const folders = Object.keys(DOORS);
  const inside = folders.find((folder) => isBelow(path, folder));
  if (inside && !isTestFile(path)) {
    const domain = DOMAIN.find((floor) => isBelow(to.path, floor));
    if (domain) return `${inside} must not know ${domain}: take what it needs as an argument`;
  }
  const behind = folders.find((folder) => isBelow(to.path, folder));
  if (!behind || behind === inside || isBelow(to.path, `${behind}/testing`)) return null;
  if (DOORS[behind]?.some((name) => to.path === `${behind}/${name}`)) return null;
  return `import ${behind}, not ${to.path}: only ${DOORS[behind]?.join(' and ')} is public`;
};

/**
 * A fenced folder sees the product from outside: it imports what is listed for it, and only its neighbors import it. Its
 * tests are no exception.
 * @type {EdgeRule}
 */
const checkFences = ({ to }, path) => {
  if (to.kind !== 'file') return null;
  for (const [folder, { neighbors, imports }] of Object.entries(FENCES)) {
    const isInside = isBelow(path, folder);
    if (isInside === isBelow(to.path, folder)) continue;
    if (!isInside && !isBelow(path, neighbors)) return `only ${neighbors} may import ${folder}`;
    if (isInside && !Object.keys(imports).some((allowed) => isBelow(to.path, allowed)))
      return `${folder} must not import ${to.path}: it sees the product from outside (FENCES in bin/lint/zones.mjs)`;
  }
  return null;
};

export const EDGE_RULES = [checkDirection, checkFrameworks, checkBrowserSafe, checkDoors, checkFences];
