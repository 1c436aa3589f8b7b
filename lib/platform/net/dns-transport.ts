import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { connectToAddress } from './connect';
import { abortReason } from './deadline';
import { type DnsQuestion, type DnsReply, decodeReply } from './dns-message';
import type { DnsServer } from './dns-server';
import { formatPeer, NetError } from './net-error';

/** When a query is sent again while no reply has come; afterwards in steps of the last one. */
const RESEND_AFTER_MS = [1000, 2000, 4000];

export type DnsExchange = {
  server: DnsServer;
  query: { id: number; bytes: Buffer };
  question: DnsQuestion;
  signal: AbortSignal;
};

/**
 * Asks one server over UDP, sending again while nothing comes, until the signal ends it. Replies that do not fit
 * the question are ignored. Throws a `NetError` of code `connect`, or the signal's reason.
 */
export function exchangeOverUdp({ server, query, question, signal }: DnsExchange): Promise<DnsReply> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortReason(signal));
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
    let timer: NodeJS.Timeout | undefined;
    let sends = 0;
    let finished = false;

    const finish = (settle: () => void) => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.close();
      settle();
    };
    const stop = () => finish(() => reject(abortReason(signal)));
    const fail = (error: Error | null) => {
      if (error) finish(() => reject(describeUnreachable(server, error)));
    };
    const send = () => {
      socket.send(query.bytes, fail);
      timer = setTimeout(send, RESEND_AFTER_MS[Math.min(sends, RESEND_AFTER_MS.length - 1)]);
      sends += 1;
    };

    socket.on('error', fail);
    socket.on('message', (bytes) => {
      const reply = decodeReply(bytes, query.id, question);
      if (reply) finish(() => resolve(reply));
    });
    signal.addEventListener('abort', stop, { once: true });
    // A connected socket takes packets from this server only, and hears when its port is closed.
    socket.connect(server.port, server.address, () => {
      if (!finished) send();
    });
  });
}

/** Asks one server over TCP. Throws a `NetError`, or the signal's reason. */
export async function exchangeOverTcp({ server, query, question, signal }: DnsExchange): Promise<DnsReply> {
  const socket = await connectToAddress(server.address, server.port, signal);
  const peer = formatPeer(server.address, server.port);
  const stop = () => socket.destroy(abortReason(signal));
  signal.addEventListener('abort', stop, { once: true });
  try {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.bytes.length);
    socket.write(Buffer.concat([length, query.bytes]));
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) continue;
      const reply = decodeReply(received.subarray(2, 2 + received.readUInt16BE(0)), query.id, question);
      if (reply) return reply;
      throw new NetError('protocol', `resolver ${peer} sent a reply that does not fit the question`);
    }
    throw new NetError('connection_lost', `resolver ${peer} closed the connection before a reply`);
  } catch (error) {
    if (error instanceof NetError) throw error;
    throw new NetError('connection_lost', `resolver ${peer} broke the connection before a reply`, {
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

function describeUnreachable(server: DnsServer, error: Error): NetError {
  const refused = 'code' in error && error.code === 'ECONNREFUSED';
  const what = refused ? 'does not accept queries' : 'cannot be reached';
  return new NetError('connect', `resolver ${formatPeer(server.address, server.port)} ${what}`, {
    cause: error,
  });
}
