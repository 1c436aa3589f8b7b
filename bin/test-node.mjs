// `npm run test:node -- 22 24`: types, units and starts of the service on newer versions of Node.js, which the registry has as packages.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [...versions] = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24'];
const folder = mkdtempSync(join(tmpdir(), 'pharos-node-'));
// Tests run as other users, too.
chmodSync(folder, 0o755);
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const failed = versions.filter((version) => !testOn(version));
if (failed.length > 0) console.error(`\nFailed on Node.js ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** @param {string} version a major one, or any other range of npm */
function testOn(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(folder, version);
  console.log(`\n── Node.js ${version}: install ${name}@${version}`);
  if (
    !run('npm', ['install', '--prefix', prefix, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`])
  )
    return false;
  const bin = join(prefix, 'node_modules', name, 'bin');
  // A build belongs to the version that made it.
  const program = ['bin/test.mjs', '--only', 'generate,types,unit'];
  return run(join(bin, 'node'), program, { PATH: `${bin}${delimiter}${process.env.PATH}` });
}

/**
 * @param {string} command
 * @param {string[]} words
 * @param {Record<string, string>} [extra]
 */
function run(command, words, extra = {}) {
  return (
    spawnSync(command, words, { cwd: root, stdio: 'inherit', env: { ...process.env, ...extra } }).status === 0
  );
}
