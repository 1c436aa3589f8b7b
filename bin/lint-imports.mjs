import { fileURLToPath } from 'node:url';
import { lintSources } from './lint/lint-sources.mjs';
import { readSourceFiles } from './lint/source-files.mjs';

const sources = readSourceFiles(fileURLToPath(new URL('..', import.meta.url)));
const findings = lintSources(sources);
for (const finding of findings) console.error(finding);
if (findings.length === 0)
  console.log(
    `${sources.size} files: imports in one direction, no cycles, no fake spreads, no long functions`,
  );
process.exitCode = findings.length === 0 ? 0 : 1;
