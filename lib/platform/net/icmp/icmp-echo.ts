import { randomBytes, randomInt } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { describeError } from '@/lib/core/errors';
import { abortable, abortReason, type StopSignal } from '../deadline';
import { NetError } from '../net-error';
import { type Libc, loadLibc } from './icmp-libc';
import { decodeEchoReply, encodeEchoRequest, type IpFamily } from './icmp-packet';

/** A non-blocking ICMP socket. */
type IcmpSocket = {
  /** Sends a packet; returns the system error name (`ENETUNREACH`), or null on success. */
  send(packet: Buffer, address: string): string | null;
  /** Returns a received packet, or null. It is a view that the next call overwrites. */
  receive(): Buffer | null;
  close(): void;
};

const isLinux = process.platform === 'linux';
const AF = { 4: 2, 6: isLinux ? 10 : 30 } as const;
const IPPROTO = { 4: 1, 6: 58 } as const;
const SOCK_DGRAM = 2;
const SOCK_RAW = 3;
/** Keeps child processes from inheriting the socket. */
const SOCK_CLOEXEC = isLinux ? 0x80000 : 0;
const MSG_DONTWAIT = isLinux ? 0x40 : 0x80;
const BUFFER_BYTES = 2048;
/** A lost packet must not fail a check: resend every second. */
const RESEND_MS = 1000;
const TOKEN_BYTES = 16;
const PAYLOAD_BYTES = 56;
const MAX_PACKETS_PER_POLL = 256;
/** Poll often while the newest request is recent, so that short round trips are exact. */
const FAST_POLL_MS = 1;
const FAST_POLL_FOR_MS = 100;
const SLOW_POLL_MS = 10;

type Waiting = { sentAt: Map<number, number>; receive(roundTripMs: number): void };
type Channel = {
  family: IpFamily;
  socket: IcmpSocket;
  id: number;
  sequence: number;
  /** Keyed by the random token in the payload: only someone who saw the request can forge a reply. */
  waiting: Map<string, Waiting>;
  lastSentAt: number;
  poll: { timer: NodeJS.Timeout; at: number } | null;
};

/** One socket per address family for all pings in flight; closed when idle. */
const channels = new Map<IpFamily, Channel>();

/** This process cannot open ICMP sockets; the message explains why. */
export class IcmpUnavailableError extends NetError {
  constructor(readonly reason: string) {
    super('unavailable', `this worker cannot ping: ${reason}`);
    this.name = 'IcmpUnavailableError';
  }
}

/**
 * Sends ICMP echo requests to a checked address until one gets a reply; resolves with the round trip in
 * milliseconds. Throws `IcmpUnavailableError`, a `NetError` of code `connect` (no route), or the signal's
 * reason.
 */
export async function echo(address: string, signal: StopSignal): Promise<number> {
  const family: IpFamily = isIPv6(address) ? 6 : 4;
  const libc = await loadLibc().catch((error: unknown) => {
    throw new IcmpUnavailableError(describeError(error));
  });
  if (signal.aborted) throw abortReason(signal);
  let channel = channels.get(family);
  if (channel === undefined) {
    const socket = openIcmpSocket(libc, family);
    if (typeof socket === 'string') {
      throw new IcmpUnavailableError(`ICMP sockets are not permitted (${socket})`);
    }
    const id = randomInt(0x10000);
    channel = { family, socket, id, sequence: 0, waiting: new Map(), lastSentAt: 0, poll: null };
    channels.set(family, channel);
  }
  return awaitReply(channel, address, signal);
}

function awaitReply(channel: Channel, address: string, signal: StopSignal): Promise<number> {
  return abortable(signal, (resolve, reject) => {
    const payload = randomBytes(PAYLOAD_BYTES);
    const token = tokenOf(payload);
    const waiting: Waiting = { sentAt: new Map(), receive: resolve };
    let resend: NodeJS.Timeout | undefined;

    const send = () => {
      channel.sequence = (channel.sequence + 1) & 0xffff;
      const { family, id, sequence } = channel;
      channel.lastSentAt = performance.now();
      waiting.sentAt.set(sequence, channel.lastSentAt);
      const failure = channel.socket.send(encodeEchoRequest({ family, id, sequence, payload }), address);
      // A full queue is temporary; the next request retries.
      if (failure !== null && failure !== 'ENOBUFS' && failure !== 'EAGAIN') {
        return reject(toSendError(address, failure));
      }
      resend = setTimeout(send, RESEND_MS);
      schedulePoll(channel);
    };

    channel.waiting.set(token, waiting);
    send();
    return () => {
      clearTimeout(resend);
      channel.waiting.delete(token);
      if (channel.waiting.size === 0) closeChannel(channel);
    };
  });
}

function schedulePoll(channel: Channel): void {
  const now = performance.now();
  const delay = now - channel.lastSentAt < FAST_POLL_FOR_MS ? FAST_POLL_MS : SLOW_POLL_MS;
  // Keep an earlier poll: many pings starting together would otherwise postpone it forever.
  if (channel.poll !== null && channel.poll.at <= now + delay) return;
  if (channel.poll !== null) clearTimeout(channel.poll.timer);
  channel.poll = { timer: setTimeout(() => poll(channel), delay), at: now + delay };
}

function poll(channel: Channel): void {
  channel.poll = null;
  for (let count = 0; count < MAX_PACKETS_PER_POLL && channel.waiting.size > 0; count += 1) {
    const packet = channel.socket.receive();
    if (packet === null) break;
    const reply = decodeEchoReply(channel.family, packet);
    if (reply === null) continue;
    const waiting = channel.waiting.get(tokenOf(reply.payload));
    const sentAt = waiting?.sentAt.get(reply.sequence);
    if (waiting && sentAt !== undefined) waiting.receive(performance.now() - sentAt);
  }
  if (channel.waiting.size > 0) schedulePoll(channel);
}

function closeChannel(channel: Channel): void {
  if (channel.poll !== null) clearTimeout(channel.poll.timer);
  channels.delete(channel.family);
  channel.socket.close();
}

function tokenOf(payload: Buffer): string {
  return payload.toString('latin1', 0, TOKEN_BYTES);
}

function toSendError(address: string, failure: string): NetError {
  const hasNoRoute = failure === 'ENETUNREACH' || failure === 'EHOSTUNREACH' || failure === 'EADDRNOTAVAIL';
  return new NetError(
    'connect',
    hasNoRoute ? `no route to ${address}` : `could not ping ${address} (${failure})`,
  );
}

/** Opens a datagram ICMP socket, or else a raw one. Returns the system error name if neither is permitted. */
export function openIcmpSocket(libc: Libc, family: IpFamily): IcmpSocket | string {
  for (const type of [SOCK_DGRAM, SOCK_RAW]) {
    const fd = libc.socket(AF[family], type | SOCK_CLOEXEC, IPPROTO[family]);
    if (fd < 0) continue;
    if (type === SOCK_RAW) keepRepliesOnly(libc, family, fd);
    return wrapSocket(libc, family, fd);
  }
  return libc.errorName();
}

function wrapSocket(libc: Libc, family: IpFamily, fd: number): IcmpSocket {
  const buffer = Buffer.alloc(BUFFER_BYTES);
  return {
    send: (packet, address) => {
      const to = encodeSocketAddress(family, address);
      const sent = libc.sendto(fd, packet, packet.length, MSG_DONTWAIT, to, to.length);
      return sent < 0 ? libc.errorName() : null;
    },
    receive: () => {
      const length = Number(libc.recv(fd, buffer, buffer.length, MSG_DONTWAIT));
      return length < 0 ? null : buffer.subarray(0, length);
    },
    close: () => {
      libc.close(fd);
    },
  };
}

/** A raw socket receives all ICMP of the machine; this makes Linux filter it in the kernel. Set bits block. */
function keepRepliesOnly(libc: Libc, family: IpFamily, fd: number): void {
  if (!isLinux) return;
  const mask = Buffer.alloc(family === 4 ? 4 : 32, 0xff);
  const wanted = family === 4 ? 0 : 129;
  const word = Math.floor(wanted / 32) * 4;
  const cleared = (~(1 << (wanted % 32)) & 0xffffffff) >>> 0;
  mask.writeUInt32LE(cleared, word);
  const level = family === 4 ? 255 : IPPROTO[6];
  libc.setsockopt(fd, level, 1, mask, mask.length);
}

/** The number of a link by its name; 0 if it has no address that is only valid there. */
function scopeOf(link: string): number {
  const infos = networkInterfaces()[link] ?? [];
  return infos.find((info) => info.family === 'IPv6' && info.scopeid > 0)?.scopeid ?? 0;
}

/** `struct sockaddr_in` or `sockaddr_in6`; macOS puts a length byte before the family. */
function encodeSocketAddress(family: IpFamily, address: string): Buffer {
  const bytes = Buffer.alloc(family === 4 ? 16 : 28);
  if (isLinux) bytes.writeUInt16LE(AF[family], 0);
  else bytes.set([bytes.length, AF[family]], 0);
  const [plain = '', zone] = address.split('%');
  bytes.set(ipaddr.parse(plain).toByteArray(), family === 4 ? 4 : 8);
  if (zone !== undefined) bytes.writeUInt32LE(scopeOf(zone), 24);
  return bytes;
}
