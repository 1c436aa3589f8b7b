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
/** These parse text or listen, but never connect. */
const HARMLESS_NAMES = ['isIP', 'isIPv4', 'isIPv6', 'createServer', 'STATUS_CODES'];
/** The guard itself, the embedded database, the mail server, and developer tools. */
const MAY_CONNECT = ['lib/platform/net', 'lib/platform/postgres', 'lib/platform/mail', 'bin'];
/** Runs in the browser, where pages call their own service. */
const CALLS_OWN_SERVICE = ['components/ui/call-route.ts', 'components/docs/search-box.tsx'];
/** Missing in Node, so it runs only in browsers, where the security policy restricts it to our own origin. */
const BROWSER_GLOBAL = 'EventSource';

/**
 * Only lib/platform/net opens outgoing connections, so its guard sees every target.
 * @param {import('./import-graph.mjs').ImportGraph} graph
 */
export function checkOutward(graph) {
  return [...graph.values()].flatMap(({ path, edges, connectingGlobals }) => {
    const zone = zoneOf(path);
    if (isTestCode(path) || zone === null || MAY_CONNECT.includes(zone) || CALLS_OWN_SERVICE.includes(path))
      return [];
    return [
      ...edges.filter(canConnect).map(({ line, specifier }) => ({ line, name: specifier })),
      ...connectingGlobals.filter(({ name }) => zone !== 'components' || name !== BROWSER_GLOBAL),
    ].map(({ line, name }) => ({
      path,
      line,
      message: `${name} opens outgoing connections; use lib/platform/net`,
    }));
  });
}

/** @param {import('./import-graph.mjs').Edge} edge */
function canConnect({ to, typeOnly, names }) {
  if (typeOnly || to.kind !== 'package' || !SOCKET_MODULES.includes(to.name)) return false;
  return names === null || names.some((name) => !HARMLESS_NAMES.includes(name));
}
