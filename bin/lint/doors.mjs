import { DOORS, isBelow, isTestFile } from './zones.mjs';

/** What a part behind a door must not know. */
const DOMAIN = ['lib/domain', 'lib/engine', 'lib/web'];

/**
 * Parts that are not the domain are entered through their door alone, by tests too, which may also use their `testing`
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
  const folders = Object.keys(DOORS);
  const inside = folders.find((folder) => isBelow(from, folder));
  if (inside && !isTestFile(from)) {
    const domain = DOMAIN.find((floor) => isBelow(to, floor));
    if (domain) return `${inside} must not know ${domain}: take what it needs as an argument`;
  }
  const behind = folders.find((folder) => isBelow(to, folder));
  if (!behind || behind === inside || isBelow(to, `${behind}/testing`)) return null;
  if (DOORS[behind]?.some((name) => to === `${behind}/${name}`)) return null;
  return `import ${behind}, not ${to}: only ${DOORS[behind]?.join(' and ')} is public`;
}
