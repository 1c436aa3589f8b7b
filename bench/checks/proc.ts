import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts a process' time in hundredths of a second for every reader of /proc. */
const TICK_MS = 10;

type Times = { parent: number; own: number; ofEndedChildren: number };

/** Milliseconds of CPU that a process has used, user and system. */
export function cpuOfProcess(pid: number): number {
  return readTimes(pid)?.own ?? 0;
}

/** Milliseconds of CPU of a process and its children, those that have ended included: all of a PostgreSQL server. */
export function cpuOfServer(pid: number): number {
  const server = readTimes(pid);
  if (!server) return 0;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTimes(Number(name)))
    .filter((times) => times?.parent === pid);
  return children.reduce((sum, times) => sum + (times?.own ?? 0), server.own + server.ofEndedChildren);
}

/** Resident memory of a process in bytes, now. */
export function residentMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

function readTimes(pid: number): Times | null {
  const text = read(`/proc/${pid}/stat`);
  // The name, in brackets, may hold anything; the fields after it are numbered from 3 in proc(5).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  if (text === '') return null;
  return {
    parent: field(4),
    own: (field(14) + field(15)) * TICK_MS,
    ofEndedChildren: (field(16) + field(17)) * TICK_MS,
  };
}

/** Empty where the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
