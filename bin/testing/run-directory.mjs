import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes the directory that holds every temporary file of a test run, so that whatever an interrupted test left lies in it.
 * @returns {string}
 */
export function createRunDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'pharos-run-'));
  // Databases started by root run as another user, who has to get through here.
  chmodSync(directory, 0o755);
  return directory;
}

/**
 * Ends the databases that still run in the directory and removes it. Synchronous, for it is called when the process exits.
 * @param {string} directory
 */
export function removeRunDirectory(directory) {
  for (const pid of findDatabases(directory)) {
    try {
      // Immediate shutdown: its children end with it.
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It has ended without taking its file along.
    }
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/**
 * @param {string} directory
 * @returns {number[]} the pids of the servers whose data lie below it
 */
function findDatabases(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return findDatabases(path);
    const pid = entry.name === 'postmaster.pid' ? Number.parseInt(readFileSync(path, 'utf8'), 10) : 0;
    return pid > 0 ? [pid] : [];
  });
}
