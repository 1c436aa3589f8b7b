import type { IncomingMessage } from 'node:http';
import type { SeenBody } from '@/lib/checks/evidence';
import { MAX_BODY_BYTES as MAX_KEPT_BYTES, showBody } from '@/lib/checks/http/probe-body';

/** More is not read: the connection is closed after the response. */
const MAX_READ_BYTES = 8 * 1024 * 1024;
/** A job that pipes its log for longer has called nonetheless. */
const READ_MS = 5000;

/**
 * Reads the body of a call, and keeps its first 16 KiB; null without one. What is beyond is discarded as it arrives. Never rejects: a
 * body that is too long, takes more than five seconds, or breaks off ends where it was.
 */
export async function readOutput(request: IncomingMessage, readMs = READ_MS): Promise<SeenBody | null> {
  const chunks: Buffer[] = [];
  let kept = 0;
  let size = 0;
  const isWhole = await new Promise<boolean>((resolve) => {
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      // Copied: a part of a chunk would keep all of it in memory.
      const part = Buffer.from(chunk.subarray(0, MAX_KEPT_BYTES - kept));
      kept += part.length;
      if (part.length > 0) chunks.push(part);
      if (size > MAX_READ_BYTES) finish(false);
    };
    const onEnd = () => finish(true);
    const onBreak = () => finish(false);
    const timer = setTimeout(onBreak, readMs);
    const finish = (whole: boolean) => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onBreak).pause();
      resolve(whole);
    };
    // Stays: an error after the end must not end the process.
    request.on('error', onBreak);
    request.on('end', onEnd).on('close', onBreak).on('data', onData);
  });
  if (size === 0) return null;
  const body = Buffer.concat(chunks);
  const headers = {
    ...(request.headers['content-type'] ? { 'content-type': request.headers['content-type'] } : {}),
    ...(request.headers['content-encoding']
      ? { 'content-encoding': request.headers['content-encoding'] }
      : {}),
  };
  return { ...showBody({ headers, body, isCut: !isWhole || size > kept }), size };
}
