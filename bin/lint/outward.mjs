import { isTestCode, zoneOf } from './zones.mjs';

const SOCKET_MODULES = [
  'node:net',
  'node:tls',
  'node:dgram',
  'node:http',
  'node:http2',
  'node:https',
  'undici',
  'nodemailer',
];
/** These judge text or listen; they connect to nothing. */
const HARMLESS_NAMES = ['isIP', 'isIPv4', 'isIPv6', 'createServer', 'STATUS_CODES'];
/** Beside the guard itself: the embedded database's own server, the operator's mail server, and the developer's tools. */
const MAY_CONNECT = ['lib/platform/net', 'lib/platform/postgres', 'lib/platform/mail', 'bin'];
/** Runs in the browser, where a page asks the service that it came from. */
const CALLS_OUR_OWN = ['components/ui/call-route.ts', 'components/docs/search-box.tsx'];
/** Node has none: a component that opens one runs in a browser, whose policy keeps it to our own origin. */
const OF_BROWSERS = 'EventSource';

/**
 * Nothing but lib/platform/net connects outwards, so that its guard sees every target.
 * @param {import('./import-graph.mjs').ImportGraph} graph
 * @returns {import('./import-graph.mjs').Finding[]}
 */
export function checkOutward(graph) {
  return [...graph.values()].flatMap(({ path, edges, connectingGlobals }) => {
    const zone = zoneOf(path);
    if (isTestCode(path) || zone === null || MAY_CONNECT.includes(zone) || CALLS_OUR_OWN.includes(path))
      return [];
    return [
      ...edges.filter(canConnect).map(({ line, specifier }) => ({ line, name: specifier })),
      ...connectingGlobals.filter(({ name }) => zone !== 'components' || name !== OF_BROWSERS),
    ].map(({ line, name }) => ({
      path,
      line,
      message: `${name} connects outwards; go through lib/platform/net`,
    }));
  });
}

/**
 * @param {import('./import-graph.mjs').Edge} edge
 * @returns {boolean}
 */
function canConnect({ to, typeOnly, names }) {
  if (typeOnly || to.kind !== 'package' || !SOCKET_MODULES.includes(to.name)) return false;
  return names === null || names.some((name) => !HARMLESS_NAMES.includes(name));
}
