import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { serveTcp, type TestCertificate } from '@/lib/platform/net/testing/servers';
import { PROTOCOLS } from '../protocols';

const recordingSchema = z.object({
  server: z.string(),
  protocol: z.enum(PROTOCOLS),
  /** As evidence shows it. */
  dialog: z.array(z.string()),
  /** What was sent, where nothing was encrypted. */
  chunks: z.array(z.object({ from: z.enum(['client', 'server']), base64: z.string() })).optional(),
});
type Recording = z.output<typeof recordingSchema>;

/** What real servers said, by the name of the case: `npm run test:protocols -- --record` writes them. */
export const RECORDINGS = z
  .record(z.string(), recordingSchema)
  .parse(JSON.parse(readFileSync(fileURLToPath(new URL('recorded.json', import.meta.url)), 'utf8')));

/** A turn of a conversation. */
type Step = { from: 'client' | 'server'; bytes: Buffer } | 'tls';

/** Serves a recording once, whatever the client sends; `received` is that. */
export async function serveRecorded(recording: Recording, certificate: TestCertificate = 'good') {
  const steps = listSteps(recording);
  const received: Buffer[] = [];
  const { port } = await serveTcp((socket) => void replay(socket, steps, received, certificate));
  const expected = steps.flatMap((step) => (step !== 'tls' && step.from === 'client' ? step.bytes : []));
  return {
    port,
    /** What the client sent, and what it sent to the real server. */
    sent: () => ({ received: Buffer.concat(received), expected: Buffer.concat(expected) }),
  };
}

function listSteps({ dialog, chunks }: Recording): Step[] {
  if (chunks) return chunks.map(({ from, base64 }) => ({ from, bytes: Buffer.from(base64, 'base64') }));
  return dialog.map((line) => {
    if (line.startsWith('< TLS')) return 'tls';
    return { from: line.startsWith('<') ? 'server' : 'client', bytes: Buffer.from(`${line.slice(2)}\r\n`) };
  });
}

async function replay(
  plain: Socket,
  steps: readonly Step[],
  received: Buffer[],
  certificate: TestCertificate,
): Promise<void> {
  let socket = plain;
  let pending = Buffer.alloc(0);
  let wake = () => {};
  const take = (chunk: Buffer) => {
    received.push(chunk);
    pending = Buffer.concat([pending, chunk]);
    wake();
  };
  socket.on('data', take);
  for (const step of steps) {
    if (step === 'tls') {
      socket.off('data', take);
      socket = secure(plain, certificate).on('data', take);
    } else if (step.from === 'server') socket.write(step.bytes);
    else {
      while (pending.length < step.bytes.length)
        await new Promise<void>((resolve) => {
          wake = resolve;
          socket.once('close', () => resolve());
        });
      pending = pending.subarray(step.bytes.length);
    }
  }
  socket.end();
}

/** The server's end of TLS over a connection. */
export function secure(socket: Socket, certificate: TestCertificate): TLSSocket {
  const pem = readFileSync(
    fileURLToPath(new URL(`../../../platform/net/testing/${certificate}.pem`, import.meta.url)),
  );
  const secured = new TLSSocket(socket, {
    isServer: true,
    secureContext: createSecureContext({ key: pem, cert: pem }),
  });
  return secured.on('error', () => undefined);
}
