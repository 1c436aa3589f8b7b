import { isTestCode, ZONES, zoneOf } from './zones.mjs';

/** @typedef {import('./import-graph.mjs').Finding} Finding */

/**
 * One direction of imports, types included: a zone imports lower ones only, and a folder without a rank is refused.
 * @param {import('./import-graph.mjs').ImportGraph} graph
 * @returns {Finding[]}
 */
export function checkDirection(graph) {
  const zones = new Set([...graph.keys()].filter((path) => !isTestCode(path)).map(zoneOf));
  const unranked = [...zones].filter((zone) => !ZONES[zone]);
  return [
    ...unranked.map((zone) => ({
      path: zone,
      line: 0,
      message: `give ${zone} a rank in bin/lint/zones.mjs`,
    })),
    ...[...graph.values()].flatMap(checkFile),
  ];
}

/**
 * @param {import('./import-graph.mjs').SourceFile} file
 * @returns {Finding[]}
 */
function checkFile({ path, edges }) {
  if (isTestCode(path)) return [];
  return edges.flatMap(({ specifier, line, typeOnly, to }) => {
    if (to.kind === 'missing') return [{ path, line, message: `${specifier} leads to no file` }];
    if (to.kind !== 'file') return [];
    if (isTestCode(to.path)) return [{ path, line, message: `${to.path} is for tests only` }];
    const refusal = refuse(zoneOf(path), zoneOf(to.path), typeOnly);
    return refusal ? [{ path, line, message: refusal }] : [];
  });
}

/**
 * Why the zone `from` may not import the zone `to`; null when it may.
 * @param {string} from
 * @param {string} to
 * @param {boolean} typeOnly
 * @returns {string | null}
 */
function refuse(from, to, typeOnly) {
  const importer = ZONES[from];
  const imported = ZONES[to];
  if (from === to || !importer || !imported) return null;
  if (from === 'components' && typeOnly && to.startsWith('lib/')) return null;
  if (importer.beside?.includes(to)) return null;
  if (importer.only && !importer.only.includes(to)) {
    return `${from} may import only ${[...importer.only, ...(importer.beside ?? [])].join(', ')}, not ${to}`;
  }
  if (imported.rank < importer.rank) return null;
  const relation = imported.rank === importer.rank ? 'stands beside' : 'stands above';
  return `${from} must not import ${to}, which ${relation} it`;
}
