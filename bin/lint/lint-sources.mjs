import { checkBrowserSafe } from './browser-safe.mjs';
import { checkCycles } from './cycles.mjs';
import { checkDirection } from './direction.mjs';
import { checkDoors } from './doors.mjs';
import { checkFrameworks } from './frameworks.mjs';
import { buildImportGraph } from './import-graph.mjs';
import { checkOutward } from './outward.mjs';

const RULES = [checkDirection, checkFrameworks, checkOutward, checkBrowserSafe, checkDoors, checkCycles];

/**
 * All violations of the import rules in the sources (path → text), as sorted lines `path:line message`.
 * @param {Map<string, string>} sources
 */
export function lintSources(sources) {
  const graph = buildImportGraph(sources);
  return RULES.flatMap((rule) => rule(graph))
    .map(({ path, line, message }) => `${path}${line > 0 ? `:${line}` : ''} ${message}`)
    .sort();
}
