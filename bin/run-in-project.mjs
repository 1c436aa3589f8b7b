import { spawn } from 'node:child_process';

const SIGNALS = /** @type {const} */ (['SIGTERM', 'SIGINT']);

/**
 * Runs a Node program of a build in the project at `root`. Its output goes to stderr; with `quiet`, only if it fails.
 * @param {string} root
 * @param {string[]} args
 * @param {Record<string, string>} environment
 * @param {{ quiet?: boolean, isExplained?: boolean }} [options] `isExplained`: its output says what to do if it fails
 */
export async function runInProject(root, args, environment, { quiet = false, isExplained = false } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const endWithUs = () => child.kill();
  process.once('exit', endWithUs);
  // Ends this process too, unless something else listens to the signal.
  /** @param {NodeJS.Signals} signal */
  const passOn = (signal) => {
    child.kill(signal);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, passOn);
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (quiet ? output.push(chunk) : process.stderr.write(chunk)));
  }
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  process.off('exit', endWithUs);
  for (const signal of SIGNALS) process.off(signal, passOn);
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  if (isExplained) throw new Error('The build failed; see the lines above.');
  throw new Error(
    `Build failed: ${args.join(' ')}. See the lines above. If packages are missing, run "npm ci".`,
  );
}
