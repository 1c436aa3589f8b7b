// `npm run count [-- --list]`: how large the code is, as a table for CONTRIBUTING.md. Figures, not limits.
import { fileURLToPath } from 'node:url';
import { MAX_FUNCTION_LINES, readDeclarations } from './lint/declarations.mjs';
import { buildImportGraph } from './lint/import-graph.mjs';
import { readSourceFiles } from './lint/source-files.mjs';
import { isTestCode } from './lint/zones.mjs';

const SMALL_MODULE = 50;

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = new Map([...readSourceFiles(root)].filter(([path]) => !isTestCode(path)));
const lines = new Map([...sources].map(([path, text]) => [path, text.split('\n').length - 1]));
const importers = countImporters();
const single = [...importers].filter(([, by]) => by.size === 1).map(([path]) => path);
const { types, functions } = readDeclarations(sources);
/** @type {Map<string, string[]>} */
const homes = new Map();
for (const { name, path } of types) homes.set(name, [...(homes.get(name) ?? []), path]);
const twice = [...homes].filter(([, paths]) => paths.length > 1);
const long = functions.filter(({ length }) => length > MAX_FUNCTION_LINES);

const sorted = [...lines.values()].sort((one, other) => one - other);
const total = sorted.reduce((sum, count) => sum + count, 0);
const rows = [
  ['modules', sources.size],
  ['lines', total],
  ['lines of a module, median', sorted[Math.floor(sorted.length / 2)]],
  [`modules of fewer than ${SMALL_MODULE} lines`, sorted.filter((count) => count < SMALL_MODULE).length],
  ['modules with one importer', single.length],
  ['type names declared twice or more', twice.length],
  [`functions of more than ${MAX_FUNCTION_LINES} lines`, long.length],
];
console.log(['| what | how many |', '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'));
if (process.argv.includes('--list')) {
  console.log('\nModules with one importer:');
  for (const path of single) console.log(`${lines.get(path)} ${path} ← ${[...(importers.get(path) ?? [])]}`);
  console.log('\nType names declared twice or more:');
  for (const [name, paths] of twice) console.log(`${name}: ${paths.join(', ')}`);
  console.log(`\nFunctions of more than ${MAX_FUNCTION_LINES} lines:`);
  for (const { path, line, length } of long) console.log(`${length} ${path}:${line}`);
}

/** Which production modules import each module. */
function countImporters() {
  /** @type {Map<string, Set<string>>} */
  const counts = new Map();
  for (const { path, edges } of buildImportGraph(sources).values())
    for (const { to } of edges) {
      if (to.kind !== 'file') continue;
      counts.set(to.path, (counts.get(to.path) ?? new Set()).add(path));
    }
  return counts;
}
