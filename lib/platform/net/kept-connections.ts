import type { Socket } from 'node:net';
import type { TargetPolicy } from './target-policy';

/** How long and how many connections are kept. Times in milliseconds. */
export type KeptLimits = {
  /** Without an exchange. Short, so that peers rarely close a connection just as it is reused. */
  idleMs: number;
  /** From the lookup of the name to the beginning of an exchange: then the name is resolved and checked again. */
  maxAgeMs: number;
  /** Idle connections to one origin, over all owners: as many as an endpoint has simultaneous attempts. */
  perOrigin: number;
  /** Idle connections in all. */
  total: number;
};

const KEPT_LIMITS: KeptLimits = { idleMs: 5000, maxAgeMs: 60_000, perOrigin: 60, total: 240 };

/** How long before a peer closes an idle connection by its own words it is no longer used. */
const MARGIN_MS = 1000;

/** A connection opened by the guard. */
export type OpenConnection = {
  socket: Socket;
  /** The address that was checked. */
  address: string;
  openedAt: number;
  close(): void;
};

/** What exchanges must have in common to use the same connection. */
export type ConnectionKey = {
  /** Whose requests it carries. Owners share no connection. */
  owner: string;
  /** Scheme, host and port. */
  origin: string;
  /** All else that would make a new connection differ. When it changes, connections of the owner with other terms are closed. */
  terms: string;
};

/** Connections kept open briefly after an exchange, for the next one with the same key. */
export type KeptConnections = Pick<Pool, keyof Pool>;

/** Creates an empty pool; `limits` replace the usual ones. */
export function createKeptConnections(limits: Partial<KeptLimits> = {}): KeptConnections {
  return new Pool({ ...KEPT_LIMITS, ...limits });
}

/** Describes what the guard and TLS decide by, with the `revision` of the owner, as the terms of a key. */
export function formatTerms(options: {
  policy: TargetPolicy;
  resolver?: object | undefined;
  connectTo?: { host: string; port: number } | undefined;
  family?: number | undefined;
  tlsVerify?: boolean | undefined;
  secureContext?: object | undefined;
  clientContext?: object | undefined;
  revision: string;
}): string {
  const {
    policy,
    resolver,
    connectTo = null,
    family = 0,
    tlsVerify = true,
    secureContext,
    clientContext,
    revision,
  } = options;
  return JSON.stringify([
    revision,
    tlsVerify,
    identify(secureContext),
    identify(clientContext),
    identify(resolver),
    connectTo,
    family,
    policy,
  ]);
}

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

/** A number that no other object has; 0: none. */
function identify(object: object | undefined): number {
  if (object === undefined) return 0;
  const known = identities.get(object);
  if (known !== undefined) return known;
  lastIdentity += 1;
  identities.set(object, lastIdentity);
  return lastIdentity;
}

type Idle = { key: ConnectionKey; connection: OpenConnection; expiresAt: number; release(): void };

class Pool {
  readonly #limits: KeptLimits;
  /** Each in the order in which they became idle. */
  readonly #all = new Set<Idle>();
  readonly #byOwner = new Map<string, Set<Idle>>();
  readonly #byOrigin = new Map<string, Set<Idle>>();
  #isClosed = false;

  constructor(limits: KeptLimits) {
    this.#limits = limits;
  }

  /** Takes the connection that became idle last, or null. Closes those of the owner with other terms. */
  take({ owner, origin, terms }: ConnectionKey): OpenConnection | null {
    let last: Idle | null = null;
    // A timer can be late.
    const now = performance.now();
    for (const idle of this.#byOwner.get(owner) ?? []) {
      const isUsable = idle.key.terms === terms && idle.expiresAt > now && isQuiet(idle.connection.socket);
      if (!isUsable) drop(idle);
      else if (idle.key.origin === origin) last = idle;
    }
    last?.release();
    return last?.connection ?? null;
  }

  /**
   * Keeps a connection whose last response was fully read, or closes it. `peerMs` is the peer's own idle timeout, or null if it has
   * sent none.
   */
  keep(key: ConnectionKey, connection: OpenConnection, peerMs: number | null): void {
    const { idleMs, maxAgeMs, perOrigin, total } = this.#limits;
    const now = performance.now();
    const ms = Math.min(idleMs, (peerMs ?? Infinity) - MARGIN_MS, connection.openedAt + maxAgeMs - now);
    if (this.#isClosed || ms <= 0 || !isQuiet(connection.socket)) {
      connection.close();
      return;
    }
    this.#add(key, connection, ms, now);
    dropOver(perOrigin, this.#byOrigin.get(key.origin));
    dropOver(total, this.#all);
  }

  /** Closes the idle connections of an owner. */
  closeOf(owner: string): void {
    for (const idle of this.#byOwner.get(owner) ?? []) drop(idle);
  }

  /** Closes all idle connections; those in use are closed after their exchange. */
  close(): void {
    this.#isClosed = true;
    for (const idle of this.#all) drop(idle);
  }

  #add(key: ConnectionKey, connection: OpenConnection, ms: number, now: number): void {
    const { socket } = connection;
    // Data without a request is never a response.
    const end = () => drop(idle);
    const timer = setTimeout(end, ms).unref();
    const release = () => {
      clearTimeout(timer);
      socket.off('data', end).off('end', end).off('close', end).off('error', end);
      socket.ref();
      this.#all.delete(idle);
      removeFrom(this.#byOwner, key.owner, idle);
      removeFrom(this.#byOrigin, key.origin, idle);
    };
    const idle: Idle = { key, connection, expiresAt: now + ms, release };
    socket.unref();
    socket.on('data', end).on('end', end).on('close', end).on('error', end);
    // The exchange has paused it.
    socket.resume();
    this.#all.add(idle);
    addTo(this.#byOwner, key.owner, idle);
    addTo(this.#byOrigin, key.origin, idle);
  }
}

function drop({ connection, release }: Idle): void {
  release();
  connection.close();
}

/** Closes the oldest connection of a group that has more than `limit`. */
function dropOver(limit: number, group: ReadonlySet<Idle> = new Set()): void {
  const [oldest] = group;
  if (oldest && group.size > limit) drop(oldest);
}

/** Whether a connection is open both ways, and neither has something left of the last exchange. */
function isQuiet(socket: Socket): boolean {
  const { destroyed, writable, readableEnded, readableLength, writableLength } = socket;
  return !destroyed && writable && !readableEnded && readableLength === 0 && writableLength === 0;
}

function addTo(groups: Map<string, Set<Idle>>, name: string, idle: Idle): void {
  const group = groups.get(name);
  if (group) group.add(idle);
  else groups.set(name, new Set([idle]));
}

function removeFrom(groups: Map<string, Set<Idle>>, name: string, idle: Idle): void {
  const group = groups.get(name);
  group?.delete(idle);
  if (group?.size === 0) groups.delete(name);
}
