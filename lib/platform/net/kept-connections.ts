import type { Socket } from 'node:net';

/** Short, so that hardly a peer closes a connection at the moment at which it is used again. */
const IDLE_MS = 1000;
/** After so long a name is resolved, and its address checked, again: a peer that moves is followed. */
const MAX_AGE_MS = 30_000;

/** A connection that the guard opened. */
export type OpenConnection = {
  socket: Socket;
  /** The address that was checked. */
  address: string;
  openedAt: number;
  /** Leaves nothing of it open. */
  close(): void;
};

/** Connections that stay open for a moment after an exchange, for the next one of the same name. */
export type KeptConnections = {
  /**
   * One that is open and unused, or null. What is kept under one name is used for each other: it says for whom, and
   * to which peer.
   */
  take(name: string): OpenConnection | null;
  /** Keeps a connection whose last response was read to its end. */
  keep(name: string, connection: OpenConnection): void;
  /** Closes those that nobody uses. */
  close(): void;
};

/** Keeps nothing yet. Each connection is opened by the exchange that needs one, through its own guard. */
export function createKeptConnections(): KeptConnections {
  const idle = new Map<string, Map<OpenConnection, () => void>>();

  const keep = (name: string, connection: OpenConnection) => {
    const { socket, openedAt, close } = connection;
    if (socket.destroyed || performance.now() - openedAt > MAX_AGE_MS) return close();
    const sameName = idle.get(name) ?? new Map<OpenConnection, () => void>();
    const release = () => {
      clearTimeout(timer);
      socket.off('data', drop).off('end', drop).off('close', drop).off('error', drop);
      socket.ref();
      sameName.delete(connection);
      if (sameName.size === 0) idle.delete(name);
    };
    // Whatever comes without a request, it is no response.
    const drop = () => {
      release();
      close();
    };
    const timer = setTimeout(drop, IDLE_MS);
    timer.unref();
    socket.unref();
    socket.on('data', drop).on('end', drop).on('close', drop).on('error', drop);
    sameName.set(connection, release);
    idle.set(name, sameName);
  };

  const take = (name: string) => {
    const [connection, release] = [...(idle.get(name) ?? [])].at(-1) ?? [null];
    release?.();
    return connection;
  };

  const close = () => {
    for (const [connection, release] of [...idle.values()].flatMap((sameName) => [...sameName])) {
      release();
      connection.close();
    }
  };
  return { take, keep, close };
}
