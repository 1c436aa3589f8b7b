import ipaddr from 'ipaddr.js';
import type { Libc } from './icmp-libc';
import type { IpFamily } from './icmp-packet';

/** A socket for ICMP that never blocks. */
export type IcmpSocket = {
  /** Sends; returns the name of the system's error (`ENETUNREACH`), null when the packet is on its way. */
  send(packet: Buffer, address: string): string | null;
  /** One packet that has come, null when none is waiting. It is a view that the next call overwrites. */
  receive(): Buffer | null;
  close(): void;
};

const isLinux = process.platform === 'linux';
const AF = { 4: 2, 6: isLinux ? 10 : 30 } as const;
const IPPROTO = { 4: 1, 6: 58 } as const;
const SOCK_DGRAM = 2;
const SOCK_RAW = 3;
/** Without this a program that the worker starts would inherit the socket. */
const SOCK_CLOEXEC = isLinux ? 0x80000 : 0;
const MSG_DONTWAIT = isLinux ? 0x40 : 0x80;
const BUFFER_BYTES = 2048;

/**
 * Opens a datagram socket for ICMP where the system allows it (`net.ipv4.ping_group_range`), else a raw one (root,
 * CAP_NET_RAW). Returns the name of the system's error when it allows neither.
 */
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

/** A raw socket sees all ICMP of the machine; Linux filters it before it costs us anything. Set bits block. */
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

/** `struct sockaddr_in` or `sockaddr_in6`; macOS has a length byte before the family. */
function encodeSocketAddress(family: IpFamily, address: string): Buffer {
  const bytes = Buffer.alloc(family === 4 ? 16 : 28);
  if (isLinux) bytes.writeUInt16LE(AF[family], 0);
  else bytes.set([bytes.length, AF[family]], 0);
  bytes.set(ipaddr.parse(address).toByteArray(), family === 4 ? 4 : 8);
  return bytes;
}
