import { checkClientValues } from './client-values.mjs';
import { checkCycles } from './cycles.mjs';
import { checkDeclarations } from './declarations.mjs';
import { EDGE_RULES } from './edge-rules.mjs';
import { buildImportGraph } from './import-graph.mjs';
import { checkOutward } from './outward.mjs';
import { findFakeSpreads } from './spreads.mjs';
import { isTestCode, zoneOf } from './zones.mjs';

/** @typedef {import('./import-graph.mjs').ImportGraph} ImportGraph */

const RULES = [checkFloors, checkEdges, checkOutward, checkCycles, checkClientValues];

/**
 * All violations of the import rules in the sources (path → text), long functions, type names with several homes, and fake spreads, as sorted
 * lines `path:line message`.
 * @param {Map<string, string>} sources
 */
export function lintSources(sources) {
  const graph = buildImportGraph(sources);
  const spreads = [...sources].flatMap(([path, text]) => findFakeSpreads(path, text));
  return [...RULES.flatMap((rule) => rule(graph)), ...checkDeclarations(sources), ...spreads]
    .map(({ path, line, message }) => `${path}${line > 0 ? `:${line}` : ''} ${message}`)
    .sort();
}

/**
 * Every folder needs a floor.
 * @param {ImportGraph} graph
 */
function checkFloors(graph) {
  const homeless = [...graph.keys()].filter((path) => !isTestCode(path) && zoneOf(path) === null);
  const folders = new Set(homeless.map((path) => path.split('/').slice(0, 2).join('/')));
  return [...folders].map((path) => ({
    path,
    line: 0,
    message: `give ${path} a floor in bin/lint/zones.mjs`,
  }));
}

/** @param {ImportGraph} graph */
function checkEdges(graph) {
  return [...graph.values()].flatMap(({ path, edges }) =>
    edges.flatMap((edge) =>
      EDGE_RULES.flatMap((rule) => {
        const message = rule(edge, path, graph);
        return message === null ? [] : [{ path, line: edge.line, message }];
      }),
    ),
  );
}
