import { isBelow, isTestCode, zoneNamed, zoneOf } from './zones.mjs';

/** @typedef {import('./import-graph.mjs').Finding} Finding */

/**
 * One direction of imports, including types: a zone imports only lower ones, and every folder needs a floor.
 * @param {import('./import-graph.mjs').ImportGraph} graph
 */
export function checkDirection(graph) {
  const homeless = [...graph.keys()].filter((path) => !isTestCode(path) && zoneOf(path) === null);
  const folders = new Set(homeless.map((path) => path.split('/').slice(0, 2).join('/')));
  return [
    ...[...folders].map((path) => ({
      path,
      line: 0,
      message: `give ${path} a floor in bin/lint/zones.mjs`,
    })),
    ...[...graph.values()].flatMap(checkFile),
  ];
}

/** @param {import('./import-graph.mjs').SourceFile} file */
function checkFile({ path, edges }) {
  if (isTestCode(path)) return [];
  return edges.flatMap(({ specifier, line, typeOnly, to }) => {
    if (to.kind === 'missing') return [{ path, line, message: `${specifier} does not exist` }];
    if (to.kind !== 'file') return [];
    if (isTestCode(to.path)) return [{ path, line, message: `${to.path} is for tests only` }];
    const violation = findViolation(zoneOf(path), zoneOf(to.path), typeOnly);
    return violation ? [{ path, line, message: violation }] : [];
  });
}

/**
 * Why the zone `from` may not import the zone `to`; null if it may.
 * @param {string | null} from
 * @param {string | null} to
 * @param {boolean} typeOnly
 */
function findViolation(from, to, typeOnly) {
  if (from === to || from === null || to === null) return null;
  const importer = zoneNamed(from);
  const names = (/** @type {string[]} */ zones) => zones.some((zone) => isBelow(to, zone));
  if (from === 'components' && typeOnly && to.startsWith('lib/')) return null;
  if (names(importer.siblings ?? [])) return null;
  if (importer.only && !names(importer.only)) {
    return `${from} may import only ${importer.only.join(', ')}, not ${to}`;
  }
  const { rank } = zoneNamed(to);
  if (rank < importer.rank) return null;
  return `${from} must not import ${to}, which is ${rank === importer.rank ? 'next to' : 'above'} it`;
}
