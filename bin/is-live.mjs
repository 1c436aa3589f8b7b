#!/usr/bin/env node
// Exits 0 if the Pharos process of this container responds. The health check of the image, which has no curl.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TIMEOUT_MS = 4000;

/**
 * The port on which a container responds: that of its command, which is part of its first process also if an init runs that.
 * @param {string} commandLine its arguments, each followed by a null character
 * @param {Record<string, string | undefined>} environment an empty variable counts as unset
 */
export function choosePort(commandLine, environment) {
  const words = commandLine.split('\0');
  const verb = words[words.findIndex((word) => word.endsWith('pharos.mjs')) + 1];
  const [variable, standard] = verb === 'worker' ? ['WORKER_PORT', '3010'] : ['PORT', '3000'];
  return environment[variable] || standard;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = choosePort(readFileSync('/proc/1/cmdline', 'utf8'), process.env);
  try {
    const { ok } = await fetch(`http://localhost:${port}/api/live`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    process.exitCode = ok ? 0 : 1;
  } catch (error) {
    console.error(`no response on port ${port}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
