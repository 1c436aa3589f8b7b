import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A link between two networks: a delay each way, lost packets that are sent again, and connections that break. */
export type Link = {
  delayMs: number;
  /** The share of packets that are lost, and come after a retransmission timeout; what follows on the connection waits for them. */
  lost: number;
  retransmitMs: number;
  /** The share of packets with which the connection breaks. */
  broken: number;
};

/** Starts a TCP proxy before `port` that is as slow as the link. Draws from `random`, between 0 and 1. */
export async function startSlowLink(port: number, link: Link, random: () => number) {
  const counts = { packets: 0, lost: 0, broken: 0 };
  const sockets = new Set<Socket>();
  const carry = (from: Socket, to: Socket, end: () => void) => {
    let freeAt = 0;
    from.on('data', (chunk) => {
      counts.packets += 1;
      const draw = random();
      if (draw < link.broken) {
        counts.broken += 1;
        return end();
      }
      const isLost = draw < link.broken + link.lost;
      if (isLost) counts.lost += 1;
      const now = performance.now();
      freeAt = Math.max(freeAt, now + link.delayMs + (isLost ? link.retransmitMs : 0));
      setTimeout(() => to.writable && to.write(chunk), freeAt - now);
    });
  };
  const server = createServer((near) => {
    const far = connect({ port, host: '127.0.0.1' });
    const end = () => {
      for (const socket of [near, far]) {
        sockets.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true).on('error', end).on('close', end);
    }
    carry(near, far, end);
    carry(far, near, end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
