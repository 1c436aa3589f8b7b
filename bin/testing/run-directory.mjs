import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates the directory for all temporary files of a test run, including those left by an interrupted test.
 * @returns {string}
 */
export function createRunDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'pharos-run-'));
  // Databases started by root run as another user, who needs access.
  chmodSync(directory, 0o755);
  return directory;
}

/**
 * Stops databases that still run in the directory, and removes it. Synchronous, because it runs when the process exits.
 * @param {string} directory
 */
export function removeRunDirectory(directory) {
  for (const pid of findDatabases(directory)) {
    try {
      // Immediate shutdown, with its child processes.
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It ended without removing its file.
    }
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
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
