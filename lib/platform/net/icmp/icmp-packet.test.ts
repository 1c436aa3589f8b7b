import { describe, expect, it } from 'vitest';
import { computeChecksum, decodeEchoReply, encodeEchoRequest } from './icmp-packet';

const payload = Buffer.from('sixteen bytes ok');
const ipHeader = Buffer.concat([Buffer.from([0x46]), Buffer.alloc(23)]);
const reply = (type: number) => {
  const packet = encodeEchoRequest({ family: 4, id: 1, sequence: 513, payload });
  packet[0] = type;
  return packet;
};

describe('an echo request', () => {
  it('has a checksum with which the whole packet sums to zero', () => {
    expect(computeChecksum(encodeEchoRequest({ family: 4, id: 7, sequence: 9, payload }))).toBe(0);
    expect(
      computeChecksum(encodeEchoRequest({ family: 4, id: 7, sequence: 9, payload: Buffer.from('odd') })),
    ).toBe(0);
  });
});

describe('an echo reply', () => {
  it('is decoded with and without an IP header of any length', () => {
    expect(decodeEchoReply(4, reply(0))).toEqual({ sequence: 513, payload });
    expect(decodeEchoReply(4, Buffer.concat([ipHeader, reply(0)]))).toEqual({ sequence: 513, payload });
    expect(decodeEchoReply(6, reply(129))).toEqual({ sequence: 513, payload });
  });

  it('is not our own request, an error or a truncated packet', () => {
    expect(decodeEchoReply(4, reply(8))).toBeNull();
    expect(decodeEchoReply(4, Buffer.concat([ipHeader, reply(3)]))).toBeNull();
    expect(decodeEchoReply(6, reply(128))).toBeNull();
    expect(decodeEchoReply(4, Buffer.from([0]))).toBeNull();
    expect(decodeEchoReply(4, Buffer.alloc(0))).toBeNull();
  });
});
