import { DOORS, isBelow, isTestFile } from './zones.mjs';

/** Zones that self-contained folders must not import. */
const DOMAIN = ['lib/domain', 'lib/engine', 'lib/web'];

/**
 * Self-contained folders are imported only through their public files; tests may also use their `testing` folder. They do
 * not import the domain, not even its types; their own tests may.
 * @param {import('./import-graph.mjs').ImportGraph} graph
 */
export function checkDoors(graph) {
  return [...graph.values()].flatMap(({ path, edges }) =>
    edges.flatMap(({ line, to }) => {
      const violation = to.kind === 'file' ? findViolation(path, to.path) : null;
      return violation ? [{ path, line, message: violation }] : [];
    }),
  );
}

/**
 * Why `from` may not import `to`; null if it may.
 * @param {string} from
 * @param {string} to
 */
function findViolation(from, to) {
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
