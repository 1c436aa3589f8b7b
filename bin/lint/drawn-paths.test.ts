import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildImportGraph } from './import-graph.mjs';
import { readSourceFiles } from './source-files.mjs';

// The paths that ARCHITECTURE.md draws module by module, in blocks whose info string is the name of a path. A line is
// `module — what it does — what it hands on`, and may continue on indented ones. A module and one above it call each other or know each
// other's types; one that begins with `(table)` reads the rows that one above it writes, and one with `(via module)` meets one above it there.

const root = fileURLToPath(new URL('../..', import.meta.url));

/** How many modules a path may pass and, if what is handed on are types, how many of them. */
const LIMITS: Record<string, { modules: number; shapes: number | null }> = {
  'check-path': { modules: 15, shapes: 12 },
  'attempt-path': { modules: 8, shapes: null },
  'page-path': { modules: 10, shapes: null },
};

type Step = { path: string; table: string | null; via: string | null; shape: string };

const LINE = /^(?:\((?:via (\S+)|(\w+))\) )?(\S+\.tsx?) — [^—]+ — (.+)$/;

function readPath(name: string): Step[] {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const [, block = ''] = new RegExp(`^\`\`\`${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text) ?? [];
  const lines = block.replaceAll(/\n +/g, ' ').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [, via = null, table = null, path = '', shape = ''] = LINE.exec(line) ?? [];
    expect(path, `“${line}” is not a step`).not.toBe('');
    return { path, table, via, shape: shape.trim() };
  });
}

const sources = readSourceFiles(root);
const paths = new Map(Object.keys(LIMITS).map((name) => [name, readPath(name)]));
const drawn = new Set([...paths.values()].flat().flatMap(({ path, via }) => [path, via]));
const graph = buildImportGraph(new Map([...sources].filter(([path]) => drawn.has(path))));

/** Whether one of two modules imports the other. */
function knowEachOther(one: string, other: string): boolean {
  const imports = (from: string, path: string) =>
    graph.get(from)?.edges.some(({ to }) => to.kind === 'file' && to.path === path) ?? false;
  return imports(one, other) || imports(other, one);
}

describe.each(Object.entries(LIMITS))('%s', (name, limits) => {
  const steps = paths.get(name) ?? [];

  it('is drawn, and passes few modules and types', () => {
    expect(steps.length).toBeGreaterThan(4);
    expect(steps.length).toBeLessThanOrEqual(limits.modules);
    expect(new Set(steps.map(({ path }) => path)).size).toBe(steps.length);
    expect(new Set(steps.map(({ shape }) => shape)).size).toBeLessThanOrEqual(
      limits.shapes ?? limits.modules,
    );
  });

  it('names modules that exist, and types that these or their neighbors know', () => {
    for (const [place, { path, shape }] of steps.entries()) {
      expect(sources.has(path), path).toBe(true);
      if (limits.shapes === null) continue;
      const near = steps.slice(Math.max(0, place - 1), place + 2).map((step) => sources.get(step.path));
      expect(near.join('\n'), `nobody near ${path} knows ${shape}`).toMatch(new RegExp(`\\b${shape}\\b`));
    }
  });

  it('goes from each module to the next by a call or by a row', () => {
    for (const [place, { path, table, via }] of steps.entries()) {
      if (place === 0) continue;
      const before = steps.slice(0, place).map((step) => step.path);
      if (via !== null) {
        expect(knowEachOther(via, path), `${via} does not know ${path}`).toBe(true);
        expect(
          before.some((other) => knowEachOther(via, other)),
          `${via} knows nothing above ${path}`,
        ).toBe(true);
      } else if (table === null) {
        const isNext = before.some((other) => knowEachOther(other, path));
        expect(isNext, `nothing above calls ${path} or is called by it`).toBe(true);
      } else {
        const writes = new RegExp(`INSERT INTO ${table}\\b`);
        expect(sources.get(path), `${path} does not read ${table}`).toMatch(new RegExp(`\\b${table}\\b`));
        const isWritten = before.some((other) => writes.test(sources.get(other) ?? ''));
        expect(isWritten, `nothing above writes ${table}`).toBe(true);
      }
    }
  });
});
