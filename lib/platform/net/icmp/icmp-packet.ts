const HEADER_BYTES = 8;
const MIN_IPV4_HEADER_BYTES = 20;

export type IpFamily = 4 | 6;
type EchoRequest = { family: IpFamily; id: number; sequence: number; payload: Buffer };
export type EchoReply = { sequence: number; payload: Buffer };

const TYPES = { 4: { request: 8, reply: 0 }, 6: { request: 128, reply: 129 } } as const;

/** Encodes an ICMP echo request. The system fills in the IPv6 checksum, which also covers the IP header. */
export function encodeEchoRequest({ family, id, sequence, payload }: EchoRequest): Buffer {
  const packet = Buffer.alloc(HEADER_BYTES + payload.length);
  packet.writeUInt8(TYPES[family].request, 0);
  packet.writeUInt16BE(id, 4);
  packet.writeUInt16BE(sequence, 6);
  payload.copy(packet, HEADER_BYTES);
  if (family === 4) packet.writeUInt16BE(computeChecksum(packet), 2);
  return packet;
}

/** Decodes an echo reply, with or without an IP header; null for anything else, such as our own requests on loopback. */
export function decodeEchoReply(family: IpFamily, received: Buffer): EchoReply | null {
  const packet = family === 4 ? withoutIpHeader(received) : received;
  if (packet.length < HEADER_BYTES || packet.readUInt8(0) !== TYPES[family].reply) return null;
  return { sequence: packet.readUInt16BE(6), payload: packet.subarray(HEADER_BYTES) };
}

/** The Internet checksum (RFC 1071). */
export function computeChecksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    sum += at + 1 < bytes.length ? bytes.readUInt16BE(at) : bytes.readUInt8(at) << 8;
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

/** An IPv4 header starts with 4 in its upper nibble; relevant ICMP messages never do. */
function withoutIpHeader(received: Buffer): Buffer {
  const first = received[0] ?? 0;
  if (first >> 4 !== 4) return received;
  return received.subarray(Math.max(MIN_IPV4_HEADER_BYTES, (first & 0xf) * 4));
}
