import { isTestCode } from './zones.mjs';

/**
 * Components may run in the browser: their imports from lib must not reach a Node builtin at run time.
 * @param {import('./import-graph.mjs').ImportGraph} graph
 * @returns {import('./import-graph.mjs').Finding[]}
 */
export function checkBrowserSafe(graph) {
  return [...graph.values()].flatMap(({ path, edges }) => {
    if (!path.startsWith('components/') || isTestCode(path)) return [];
    return edges.flatMap(({ line, specifier, typeOnly, to }) => {
      if (typeOnly) return [];
      const chain = findBuiltin(graph, to, new Set());
      const message = `${specifier} does not run in a browser: ${chain?.join(' → ')}`;
      return chain ? [{ path, line, message }] : [];
    });
  });
}

/**
 * The chain from an import to the first Node builtin; null if there is none.
 * @param {import('./import-graph.mjs').ImportGraph} graph
 * @param {import('./resolve-import.mjs').Resolution} to
 * @param {Set<string>} seen
 * @returns {string[] | null}
 */
function findBuiltin(graph, to, seen) {
  if (to.kind === 'package') return to.name.startsWith('node:') ? [to.name] : null;
  if (to.kind !== 'file' || seen.has(to.path)) return null;
  seen.add(to.path);
  for (const edge of graph.get(to.path)?.edges ?? []) {
    const chain = edge.typeOnly ? null : findBuiltin(graph, edge.to, seen);
    if (chain) return [to.path, ...chain];
  }
  return null;
}
