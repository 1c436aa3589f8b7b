import { isTestCode, mayKnowFrameworks, zoneOf } from './zones.mjs';

const FRAMEWORKS = ['next', 'next-auth', 'inngest', 'react', 'react-dom'];

/**
 * The engine, the domain verbs and all lower floors import neither the web framework nor the scheduler, not even types.
 * @param {import('./import-graph.mjs').ImportGraph} graph
 */
export function checkFrameworks(graph) {
  return [...graph.values()].flatMap(({ path, edges }) => {
    const zone = zoneOf(path);
    if (isTestCode(path) || zone === null || mayKnowFrameworks(zone)) return [];
    return edges.flatMap(({ line, specifier, to }) =>
      to.kind === 'package' && FRAMEWORKS.includes(to.name)
        ? [{ path, line, message: `${zone} must not know ${specifier}` }]
        : [],
    );
  });
}
