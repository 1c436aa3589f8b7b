import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPhrases } from './lint/phrases.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Texts that must stay as they are: migrations, other people's files, and binary files. */
const IGNORED =
  /^lib\/platform\/db\/testing\/unnumbered-migrations\.sql$|^prisma\/migrations\/20261128011659_first_release\/|^bin\/deploy\/testing\/|^package-lock\.json$|\.(png|pem|ico)$/;

const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
const paths = listed.split('\0').filter((path) => path !== '' && !IGNORED.test(path));
const texts = paths.map((path) => /** @type {[string, string]} */ ([path, readText(path)]));
const findings = findPhrases(texts);
for (const finding of findings) console.error(finding);
if (findings.length === 0) console.log(`wording of ${paths.length} files: no old phrases`);
process.exitCode = findings.length === 0 ? 0 : 1;

/**
 * Empty for a file that was deleted but not committed.
 * @param {string} path
 */
function readText(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return '';
  }
}
