/** Set by our own server on every request to the address of the connection's other end; what a client sends is dropped. */
export const PEER_HEADER = 'x-pharos-peer';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
const FORWARDED = /^(forwarded|x-forwarded-|x-real-ip$|via$|cf-connecting-ip$|true-client-ip$)/i;
/**
 * Whether a request, as it comes from the wire, comes from loopback, under a local name (a foreign name would be DNS
 * rebinding from a web page), and through no proxy that says so. `names` are its header names.
 */
export function isLocalVisit(visit: { peer: string | null; host: string | null; names: string[] }): boolean {
  const { peer, host, names } = visit;
  return LOOPBACK.test(peer ?? '') && LOCAL_HOST.test(host ?? '') && !isForwarded(names);
}

/** Whether a request, as it comes from the wire, passed through a proxy. */
export function isForwarded(names: string[]): boolean {
  return names.some((name) => FORWARDED.test(name));
}
