import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readSourceFiles } from '../lint/source-files.mjs';
import { isTestCode } from '../lint/zones.mjs';

/** The version of Next whose internals were last checked, as below. */
const CHECKED = '16.4.6';

const TO_CHECK = `Next was upgraded: check what relies on its internals, then change CHECKED.
1. restoreDate (bin/web/builds/native-date.ts): is there a setting now that keeps Next from replacing Date
   (next/dist/server/node-environment-extensions/date.js)? Use it, and delete restoreDate. Does Next rely on the class that it installs
   even without Cache Components? Then stop restoring it. Compare with: npm run bench:pages
2. The global pharosShared (lib/web/http/process-shared.ts): is there a documented way to pass values to routes, or to call one? Use it.
   Otherwise, routes must still run in the process that called next(), with the same globalThis, and the handlers of /status/[slug] and
   /api/status-pages/public must still work when called directly, without the router of Next. Check: npm test
   and npm run bench:pages, whose misses take at least twice as long through the router.`;

it('the version of Next is the one whose internals were checked', () => {
  const manifest = createRequire(import.meta.url).resolve('next/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  expect(version, TO_CHECK).toBe(CHECKED);
});

it('no other module replaces a global, and all that are added are named pharos…', () => {
  const sources = readSourceFiles(fileURLToPath(new URL('../..', import.meta.url)));
  const found = [...sources]
    .filter(([path]) => !isTestCode(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/\bglobalThis\.(\w+) (?:\?\?)?=[^=]|\btypeof globalThis & \{ (\w+)/g)].map(
        ([, replaced, added]) => [path, replaced ?? added ?? ''],
      ),
    )
    .filter(([, name]) => !name?.startsWith('pharos'));
  expect(found).toEqual([['bin/web/builds/native-date.ts', 'Date']]);
});
