import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of lines that is only appended to. `read` are the bytes from its beginning that are dealt with, `lines` those after them. */
export type Segment = { name: string; bytes: number; read: number; lines: number };

const NAME = /^late-\d{15}\.jsonl$/;
const [CURSOR, OWNER] = ['cursor.json', 'owner.pid'];
const NEWLINE = 10;

/** The files of a spool, in a directory that only its user can read. All reject with the error of the file system. */
export type SegmentFiles = ReturnType<typeof createSegmentFiles>;

/** Does nothing before it is called. */
export function createSegmentFiles(directory: string) {
  const path = (name: string) => join(directory, name);

  const readCursor = async (): Promise<{ name?: unknown; read?: unknown }> => {
    try {
      return JSON.parse(await readFile(path(CURSOR), 'utf8'));
    } catch {
      // Then its lines are read once more, which nobody notices.
      return {};
    }
  };

  return {
    /** Takes the directory for this process. Rejects if another one has it. */
    claim: async (): Promise<void> => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const owner = Number(await readFile(path(OWNER), 'utf8').catch(() => ''));
      if (owner > 0 && owner !== process.pid && isRunning(owner))
        throw new Error(`another probe (process ${owner}) uses ${directory}; give each its own with --spool`);
      await writeFile(path(OWNER), `${process.pid}`, { mode: 0o600 });
    },
    /** Lets another process have it. */
    release: (): Promise<void> => rm(path(OWNER), { force: true }),
    /** The segments that an earlier process left, oldest first; what was dealt with is not counted. */
    list: async (): Promise<Segment[]> => {
      const cursor = await readCursor();
      const names = (await readdir(directory)).filter((name) => NAME.test(name)).sort();
      const segments: Segment[] = [];
      for (const name of names) {
        const content = await readFile(path(name));
        const read = name === cursor.name && typeof cursor.read === 'number' ? cursor.read : 0;
        segments.push({ name, bytes: content.length, read, lines: countLines(content.subarray(read)) });
      }
      return segments;
    },
    /** Creates the next segment. */
    create: async (number: number): Promise<Segment> => {
      const name = `late-${String(number).padStart(15, '0')}.jsonl`;
      await (await open(path(name), 'wx', 0o600)).close();
      return { name, bytes: 0, read: 0, lines: 0 };
    },
    /** Appends lines, which are on the disk once this resolves. */
    append: async ({ name }: Segment, text: string): Promise<void> => {
      const file = await open(path(name), 'a', 0o600);
      try {
        await file.appendFile(text);
        await file.datasync();
      } finally {
        await file.close();
      }
    },
    /** The next lines that are not dealt with, of at most so many bytes; each character is a byte. */
    read: ({ name, ...place }: Segment, maxBytes: number): Promise<string> =>
      readLines(path(name), place, maxBytes),
    remove: ({ name }: Segment): Promise<void> => rm(path(name), { force: true }),
    /** Keeps how far the oldest segment is dealt with. */
    keepCursor: async ({ name, read }: Segment): Promise<void> => {
      await writeFile(path(`${CURSOR}.new`), JSON.stringify({ name, read }), { mode: 0o600 });
      await rename(path(`${CURSOR}.new`), path(CURSOR));
    },
  };
}

async function readLines(
  path: string,
  { read, bytes }: Pick<Segment, 'read' | 'bytes'>,
  maxBytes: number,
): Promise<string> {
  const file = await open(path, 'r');
  try {
    const length = Math.min(maxBytes, bytes - read);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, read);
    const isEnd = read + bytesRead >= bytes;
    const end = isEnd ? bytesRead : buffer.lastIndexOf(NEWLINE) + 1;
    // A damaged line may be longer.
    return buffer.toString('latin1', 0, end === 0 ? bytesRead : end);
  } finally {
    await file.close();
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function countLines(content: Buffer): number {
  let lines = 0;
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}
