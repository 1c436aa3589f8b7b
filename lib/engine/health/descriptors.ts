import { readdir, readFile } from 'node:fs/promises';

/** How many file descriptors this process has open, and how many it may open (the soft limit). */
export type Descriptors = { open: number; limit: number };

/** Reads them from /proc; null where the system has none, or where there is no limit. */
export async function readDescriptors(): Promise<Descriptors | null> {
  try {
    const [open, limits] = await Promise.all([
      readdir('/proc/self/fd'),
      readFile('/proc/self/limits', 'utf8'),
    ]);
    const limit = parseOpenFilesLimit(limits);
    // Listing them opens one.
    return limit === null ? null : { open: open.length - 1, limit };
  } catch {
    return null;
  }
}

/** The soft limit of open files in the text of /proc/self/limits; null: there is none. */
export function parseOpenFilesLimit(limits: string): number | null {
  const soft = limits.match(/^Max open files\s+(\d+)/m)?.[1];
  return soft === undefined ? null : Number(soft);
}
