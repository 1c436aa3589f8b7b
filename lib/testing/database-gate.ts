import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * How a gate treats connections: like a starting server, like one too busy to respond, or passing them
 * through.
 */
export type GateState = 'starting up' | 'silent' | 'open';

/** A proxy for a database server that can simulate any state. */
export type DatabaseGate = {
  /** The URL of the database through the gate. */
  url: string;
  /** The number of connections so far. */
  connections(): number;
  /** Sets the state for new connections; held connections pass through once it is open. */
  set(state: GateState): void;
  close(): Promise<void>;
};

const STARTING_UP = 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0';

/**
 * Opens a gate to the database at `url`; `stateOf` determines the state by connection number, starting with
 * 1, until `set` is called.
 */
export async function openDatabaseGate(
  url: string,
  stateOf: (connection: number) => GateState,
): Promise<DatabaseGate> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const kept: Socket[] = [];
  let connections = 0;
  let fixed: GateState | null = null;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const pass = (near: Socket) => {
    const far = connect(Number(target.port), target.hostname);
    track(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  };
  const server = createServer((near) => {
    connections += 1;
    track(near);
    const state = fixed ?? stateOf(connections);
    if (state === 'open') pass(near);
    else if (state === 'silent') kept.push(near);
    else near.once('data', () => near.end(errorResponse(STARTING_UP)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gated = new URL(url);
  gated.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: gated.href,
    connections: () => connections,
    set: (state) => {
      fixed = state;
      if (state === 'open') for (const near of kept.splice(0)) if (!near.destroyed) pass(near);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A message of PostgreSQL's protocol: type, length, fields. */
function errorResponse(fields: string): Buffer {
  const message = Buffer.alloc(5 + Buffer.byteLength(fields));
  message.write('E');
  message.writeInt32BE(message.length - 1, 1);
  message.write(fields, 5);
  return message;
}
