import type { Socket } from 'node:net';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import { abortable, type StopSignal } from '@/lib/platform/net/deadline';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { Assertion } from '../assertions/assertion';
import { findFailure } from '../assertions/evaluate';
import { NOTHING_OBSERVED } from '../assertions/observed';

const MAX_BANNER_BYTES = 8192;

/** The assertions of a target that are about the banner. */
export const listBannerAssertions = memoizeByObject(({ assertions }: Pick<ProbeTarget, 'assertions'>) =>
  assertions.filter(({ source }) => source === 'banner'),
);

/**
 * Sends the text, if there is one, and returns what arrives until all of these assertions hold: at most 8 KiB, and what has arrived
 * when the server closes the connection or the signal aborts.
 */
export async function readBanner(
  socket: Socket,
  send: string | null,
  expected: readonly Assertion[],
  signal: StopSignal,
): Promise<string> {
  let received = Buffer.alloc(0);
  const read = abortable<void>(signal, (resolve) => {
    const take = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk.subarray(0, MAX_BANNER_BYTES - received.length)]);
      const banner = received.toString('utf8');
      const holds = findFailure(expected, { ...NOTHING_OBSERVED, banner }) === null;
      if (holds || received.length >= MAX_BANNER_BYTES) resolve();
    };
    const finish = () => resolve();
    socket.on('data', take).once('end', finish).once('close', finish);
    if (send !== null) socket.write(send);
    return () => {
      socket.off('data', take).off('end', finish).off('close', finish);
    };
  });
  // Nothing more arrives in time: what did is judged.
  await read.catch(() => undefined);
  return received.toString('utf8');
}
