// `npm run test:unit -- lib/state` runs the tests below a path, or all tests but those in the browser. Builds the commands if they are out
// of date: some tests load parts of them. PostgreSQL and the service start when the first test needs them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildCommands, root } from './build.mjs';
import { withPatience } from './testing/patience.mjs';
import { createRunDirectory, removeRunDirectory } from './testing/run-directory.mjs';

await buildCommands();
const directory = createRunDirectory({ inMemory: process.env.TMPDIR === undefined });
process.once('exit', () => removeRunDirectory(directory));
// `npm run test:unit -- bin/cli/start.thorough`, too.
const thorough = process.argv.some((word) => word.includes('.thorough')) ? { TEST_THOROUGH: '1' } : {};
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  env: { ...(await withPatience(process.env)), TMPDIR: directory, ...thorough },
  stdio: 'inherit',
});
// Ctrl-C reaches the whole process group; this process ends with its child.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => undefined);
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
