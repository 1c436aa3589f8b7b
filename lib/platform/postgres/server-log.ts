import { open, stat } from 'node:fs/promises';

const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Opens the server's log (mode 0600) for appending, emptied first when it has grown beyond 10 MB. `offset` is where the
 * lines of this start begin. The caller closes `file`.
 */
export async function openServerLog(path: string) {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  const file = await open(path, 'a', 0o600);
  if (size <= MAX_BYTES) return { file, offset: size };
  await file.truncate();
  return { file, offset: 0 };
}

/** The text of the log from `offset` on, at most the last 64 KiB of it; empty when it cannot be read. */
export async function readServerLog(path: string, offset: number): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const start = Math.max(offset, size - 64 * 1024);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - start)), {
        position: start,
      });
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}

/** Why the server ended, as far as its log says: the message of the last FATAL or PANIC line, or else the last line. */
export function findLastFatal(log: string): string | null {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC): /.test(line));
  if (fatal) return fatal.replace(/^.*?\b(FATAL|PANIC): +/, '');
  return lines.at(-1)?.trim() ?? null;
}
