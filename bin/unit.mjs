// `npm run test:unit -- lib/state` runs the tests below a path, or all tests but those in the browser. Generates the database
// client if it is out of date. PostgreSQL and the service start when the first test needs them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { generateClient, root } from './build.mjs';
import { withPatience } from './testing/patience.mjs';

await generateClient();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  env: await withPatience(process.env),
  stdio: 'inherit',
});
// Ctrl-C reaches the whole process group; this process ends with its child.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => undefined);
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
