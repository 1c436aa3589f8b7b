import type { Socket } from 'node:net';

/** Short, so that peers rarely close a connection just as it is reused. */
const IDLE_MS = 1000;
/** Connections older than this are not reused, so that the name is resolved and checked again. */
const MAX_AGE_MS = 30_000;

/** A connection opened by the guard. */
export type OpenConnection = {
  socket: Socket;
  /** The address that was checked. */
  address: string;
  openedAt: number;
  close(): void;
};

/** Connections kept open briefly after an exchange, for the next one of the same name. */
export type KeptConnections = ReturnType<typeof createKeptConnections>;

/** Creates an empty pool. */
export function createKeptConnections() {
  const idle = new Map<string, Map<OpenConnection, () => void>>();

  /** Keeps a connection whose last response was fully read. */
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
    // Data without a request is never a response.
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

  /** Takes an idle connection, or null. The name identifies owner and origin; connections are shared within a name. */
  const take = (name: string): OpenConnection | null => {
    const [connection, release] = [...(idle.get(name) ?? [])].at(-1) ?? [null];
    release?.();
    return connection;
  };

  /** Closes all idle connections. */
  const close = () => {
    for (const [connection, release] of [...idle.values()].flatMap((sameName) => [...sameName])) {
      release();
      connection.close();
    }
  };
  return { take, keep, close };
}
