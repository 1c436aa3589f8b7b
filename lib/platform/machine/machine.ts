import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where a process runs. Containers on one machine have a `host` each, and the same `id`. */
export type Machine = { id: string; host: string };

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** The machine of this process. The kernel identifies it, where it does: containers share that; otherwise, the name of the host does. */
export function readMachine(): Machine {
  const host = hostname();
  return {
    id: createHash('sha256')
      .update(readBootId() ?? host)
      .digest('hex')
      .slice(0, 16),
    host,
  };
}

function readBootId(): string | null {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    return null;
  }
}
