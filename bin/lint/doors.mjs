import { DOORS, isBelow, isTestFile } from './zones.mjs';

/** What a part behind a door must not know. */
const DOMAIN = ['lib/domain', 'lib/engine', 'lib/web'];

/**
 * Parts that are not the domain are entered through their index.ts alone, by tests too, which may also use their `testing`
 * folder; and they know nothing of the domain, not even its types. Their own tests may.
 * @param {import('./import-graph.mjs').ImportGraph} graph
 * @returns {import('./import-graph.mjs').Finding[]}
 */
export function checkDoors(graph) {
  return [...graph.values()].flatMap(({ path, edges }) =>
    edges.flatMap(({ line, to }) => {
      const refusal = to.kind === 'file' ? refuse(path, to.path) : null;
      return refusal ? [{ path, line, message: refusal }] : [];
    }),
  );
}

/**
 * Why `from` may not import `to`; null when it may.
 * @param {string} from
 * @param {string} to
 * @returns {string | null}
 */
function refuse(from, to) {
  const inside = DOORS.find((door) => isBelow(from, door));
  if (inside && !isTestFile(from)) {
    const domain = DOMAIN.find((floor) => isBelow(to, floor));
    if (domain) return `${inside} must not know ${domain}: take what it needs as an argument`;
  }
  const door = DOORS.find((folder) => isBelow(to, folder));
  if (!door || door === inside || to === `${door}/index.ts` || isBelow(to, `${door}/testing`)) return null;
  return `import ${door}, not ${to}: index.ts is its only door`;
}
