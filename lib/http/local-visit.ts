/** Set by our own server on every request to the address of the connection's other end; what a client sends is dropped. */
export const PEER_HEADER = 'x-pharos-peer';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
const FORWARDED = /^(forwarded|x-forwarded-|x-real-ip$|via$|cf-connecting-ip$|true-client-ip$)/i;
/** Next adds these itself to every request. */
const ADDED_BY_NEXT = new Set([
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
]);

/** The header in which our server says that the request came with a forwarding header. */
export const FORWARDED_HEADER = 'x-pharos-forwarded';

/**
 * Whether a request comes from loopback, under a local name (a foreign name would be DNS rebinding from a web page),
 * and through no proxy. `names` are the request's header names as they reach the application.
 */
export function isLocalVisit(visit: { peer: string | null; host: string | null; names: string[] }): boolean {
  const { peer, host, names } = visit;
  const isForwarded = names.some(
    (name) => name === FORWARDED_HEADER || (FORWARDED.test(name) && !ADDED_BY_NEXT.has(name)),
  );
  return LOOPBACK.test(peer ?? '') && LOCAL_HOST.test(host ?? '') && !isForwarded;
}

/** Whether a request, as it comes from the wire, passed through a proxy. */
export function isForwarded(names: string[]): boolean {
  return names.some((name) => FORWARDED.test(name));
}
