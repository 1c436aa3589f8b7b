// `npm run count [-- --list]`: how large the code is, as a table for CONTRIBUTING.md. Figures, not limits.
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { buildImportGraph } from './lint/import-graph.mjs';
import { readSourceFiles } from './lint/source-files.mjs';
import { isTestCode } from './lint/zones.mjs';

/** @typedef {import('oxc-parser').Node} Node */

const LONG_FUNCTION = 70;
const SMALL_MODULE = 50;

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = new Map([...readSourceFiles(root)].filter(([path]) => !isTestCode(path)));
const lines = new Map([...sources].map(([path, text]) => [path, text.split('\n').length - 1]));
const importers = countImporters();
const single = [...importers].filter(([, by]) => by.size === 1).map(([path]) => path);
const { types, functions } = readDeclarations();
const twice = [...types].filter(([, homes]) => homes.length > 1);
const long = functions.filter(({ length }) => length > LONG_FUNCTION);

const sorted = [...lines.values()].sort((one, other) => one - other);
const total = sorted.reduce((sum, count) => sum + count, 0);
const rows = [
  ['modules', sources.size],
  ['lines', total],
  ['lines of a module, median', sorted[Math.floor(sorted.length / 2)]],
  [`modules of fewer than ${SMALL_MODULE} lines`, sorted.filter((count) => count < SMALL_MODULE).length],
  ['modules with one importer', single.length],
  ['type names declared twice or more', twice.length],
  [`functions of more than ${LONG_FUNCTION} lines`, long.length],
];
console.log(['| what | how many |', '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n'));
if (process.argv.includes('--list')) {
  console.log('\nModules with one importer:');
  for (const path of single) console.log(`${lines.get(path)} ${path} ← ${[...(importers.get(path) ?? [])]}`);
  console.log('\nType names declared twice or more:');
  for (const [name, homes] of twice) console.log(`${name}: ${homes.join(', ')}`);
  console.log(`\nFunctions of more than ${LONG_FUNCTION} lines:`);
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

/** Where each type is declared, and how long each function is. */
function readDeclarations() {
  /** @type {Map<string, string[]>} */
  const types = new Map();
  /** @type {{ path: string, line: number, length: number }[]} */
  const functions = [];
  for (const [path, text] of sources) {
    const lineOf = (/** @type {number} */ place) => text.slice(0, place).split('\n').length;
    const noteType = (/** @type {{ id: { name: string } }} */ { id: { name } }) =>
      types.set(name, [...(types.get(name) ?? []), path]);
    const noteFunction = (/** @type {Node} */ { start, end }) =>
      functions.push({ path, line: lineOf(start), length: text.slice(start, end).split('\n').length });
    new Visitor({
      TSTypeAliasDeclaration: noteType,
      TSInterfaceDeclaration: noteType,
      FunctionDeclaration: noteFunction,
      FunctionExpression: noteFunction,
      ArrowFunctionExpression: noteFunction,
    }).visit(parseSync(path, text).program);
  }
  return { types, functions };
}
