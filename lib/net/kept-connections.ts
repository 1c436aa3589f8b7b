import { Agent, type ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Short, so that hardly a peer closes a connection at the moment at which it is used again. */
const IDLE_MS = 1000;
/** After so long a name is resolved, and its address checked, again: a peer that moves is followed. */
const MAX_AGE_MS = 30_000;

/** Connections that stay open for a moment after an exchange, for the next one to the same peer. */
export type KeptConnections = {
  agent: Agent;
  /** Closes those that nobody uses. */
  close(): void;
};

/** How one exchange gets its connection: one of that `name` that is open and unused, or else a new one. */
export type KeptConnection = {
  agent: Agent;
  /** What is kept under one name is used for each other: it has to say for whom, and to which peer. */
  name: string;
  /** Opens a new connection, guarded as every connection is. */
  connect: () => Promise<Socket>;
};

/** Keeps nothing yet. Every new connection is opened by the exchange that asks for it, through its own guard. */
export function createKeptConnections(): KeptConnections {
  const agent = new GuardedAgent({ keepAlive: true, timeout: IDLE_MS });
  const close = () => {
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
  };
  return { agent, close };
}

/** The part of the options of a request that this agent goes by. */
export function requestOptions({ agent, name, connect }: KeptConnection): ClientRequestArgs {
  return {
    agent,
    host: name,
    createConnection: (_options, onCreate) => {
      connect().then(
        (socket) => onCreate(null, socket),
        // Node looks at the socket only where there is no error.
        (error: Error) => (onCreate as (error: Error) => void)(error),
      );
      return undefined;
    },
  };
}

/** Node's own keeping of connections, but for who opens them and how long they live. */
class GuardedAgent extends Agent {
  readonly #openedAt = new WeakMap<Duplex, number>();

  override createConnection(
    options: ClientRequestArgs,
    callback: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    options.createConnection?.(options, (error, socket) => {
      if (socket) this.#openedAt.set(socket, performance.now());
      callback(error, socket);
    });
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const age = performance.now() - (this.#openedAt.get(socket) ?? Number.NEGATIVE_INFINITY);
    if (age > MAX_AGE_MS) return false;
    // Its type hides that the answer counts.
    super.keepSocketAlive(socket);
    return true;
  }
}
