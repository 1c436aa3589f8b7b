import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { serveTcp } from '@/lib/platform/net/testing/servers';
import type { Assertion } from '../assertions/assertion';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';

/** A server that is odd in one way once it has accepted a connection, and how a check judges it: null if it succeeds. */
type OddListener = {
  name: string;
  does: (socket: Socket) => void;
  /** What the banner must contain; unless set, there need not be one. */
  banner?: string;
  send?: string;
  error: string | null;
};

const RESET = 'connection reset by the server before a response';
const MISSING = 'assertion 1 failed: banner does not contain the expected text';

const ROWS: OddListener[] = [
  { name: 'says nothing', does: () => {}, error: null },
  { name: 'resets the connection', does: (socket) => socket.resetAndDestroy(), error: null },
  { name: 'closes the connection', does: (socket) => socket.destroy(), error: null },
  { name: 'sends a megabyte', does: (socket) => socket.write(Buffer.alloc(1024 * 1024)), error: null },
  {
    name: 'sends text and resets',
    does: (socket) => socket.write('220 ok', () => socket.resetAndDestroy()),
    error: null,
  },
  {
    name: 'sends what is expected',
    does: (socket) => socket.write('220 ok\r\n'),
    banner: '220',
    error: null,
  },
  { name: 'says it and closes', does: (socket) => socket.end('220 ok'), banner: '220', error: null },
  {
    name: 'says it in bytes that are not UTF-8',
    does: (socket) => socket.write(Buffer.from('\xff220', 'latin1')),
    banner: '220',
    error: null,
  },
  {
    name: 'says it byte by byte',
    does: (socket) => {
      socket.setNoDelay();
      for (const byte of '220 ok') socket.write(byte);
    },
    banner: '220 ok',
    error: null,
  },
  {
    name: 'says it once it was asked, and resets',
    does: (socket) => socket.once('data', () => socket.write('PONG', () => socket.resetAndDestroy())),
    send: 'PING',
    banner: 'PONG',
    error: null,
  },
  { name: 'resets instead of it', does: (socket) => socket.resetAndDestroy(), banner: '220', error: RESET },
  {
    name: 'resets once it was asked',
    does: (socket) => socket.once('data', () => socket.resetAndDestroy()),
    send: 'PING',
    banner: 'PONG',
    error: RESET,
  },
  { name: 'closes instead of it', does: (socket) => socket.end(), banner: '220', error: MISSING },
  {
    name: 'says something else and closes',
    does: (socket) => socket.end('SSH-2.0'),
    banner: '220',
    error: MISSING,
  },
  {
    name: 'says it after 8 KiB',
    does: (socket) => socket.write(`${' '.repeat(8192)}220`),
    banner: '220',
    error: MISSING,
  },
];

describe('a tcp check of a server that', () => {
  it.each(ROWS)('$name', async ({ does, banner, send = null, error }) => {
    const { port } = await serveTcp(does);
    const assertions: Assertion[] =
      banner === undefined
        ? []
        : [{ source: 'banner', property: null, comparison: 'contains', target: banner }];
    const target = createTarget('tcp', `127.0.0.1:${port}`, { assertions, send });
    const result = await probe(target, openEnvironment);
    expect(result.error?.message.replace(`127.0.0.1:${port}`, 'the server') ?? null).toBe(error);
    expect(result.outcome).toBe(error === null ? 'ok' : 'failed');
  });
});
