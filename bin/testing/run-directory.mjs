import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { signal } from './run-program.mjs';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Several times what the tests need at once. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

const PREFIX = 'pharos-run-';

/**
 * Creates the directory for all temporary files of a test run, including those left by an interrupted test. `inMemory` puts
 * it there where possible: creating hundreds of databases on a disk takes a fifth of the time of the tests.
 * @param {{ inMemory?: boolean }} [options]
 * @returns {string}
 */
export function createRunDirectory({ inMemory = false } = {}) {
  const base = inMemory && isUsable(MEMORY) ? MEMORY : tmpdir();
  const directory = mkdtempSync(join(base, PREFIX));
  // Databases started by root run as another user, who needs access.
  chmodSync(directory, 0o755);
  return directory;
}

/**
 * Whether a directory is that of a test run: what is in it is removed at the end.
 * @param {string} directory
 */
export function isRunDirectory(directory) {
  return basename(directory).startsWith(PREFIX);
}

/**
 * Whether tests can write to a file system, and run programs from it: containers often have a small one without that.
 * @param {string} base
 */
export function isUsable(base) {
  try {
    const { bavail, bsize } = statfsSync(base);
    if (bavail * bsize < MIN_FREE_BYTES) return false;
    const directory = mkdtempSync(join(base, 'pharos-try-'));
    try {
      const program = join(directory, 'program');
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
      return spawnSync(program).status === 0;
    } finally {
      rmSync(directory, { recursive: true });
    }
  } catch {
    return false;
  }
}

/** Programs that are ending write for a moment longer, databases for a few seconds. */
const MAX_REMOVALS = 20;

/**
 * Ends programs and databases that still run in the directory, which tests could not stop because they were interrupted, and removes it.
 * Synchronous, because it runs when the process exits.
 * @param {string} directory
 */
export function removeRunDirectory(directory) {
  for (let removal = 1; ; removal++) {
    try {
      for (const pid of findPrograms(directory)) signal(pid, 'SIGKILL');
      // Immediate shutdown, with its child processes.
      for (const pid of findDatabases(directory)) signal(pid, 'SIGQUIT');
      rmSync(directory, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
      return;
    } catch (error) {
      // A program that has not ended yet removed a directory that was being read, or wrote into one that was being removed.
      if (removal === MAX_REMOVALS) throw error;
    }
  }
}

/**
 * @param {string} directory
 * @returns {number[]} the PIDs of programs that were started with it for their temporary files; none where the system does not list them
 */
function findPrograms(directory) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readVariables(name).includes(`TMPDIR=${directory}`))
    .map(Number);
}

/** @param {string} pid */
function readVariables(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // It has ended, or belongs to somebody else.
    return [];
  }
}

/**
 * @param {string} directory
 * @returns {number[]} the PIDs of servers with data below it
 */
function findDatabases(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return findDatabases(path);
    const pid = entry.name === 'postmaster.pid' ? Number.parseInt(readFileSync(path, 'utf8'), 10) : 0;
    return pid > 0 ? [pid] : [];
  });
}
