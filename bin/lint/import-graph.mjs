import { readImports } from './read-imports.mjs';
import { resolveImport } from './resolve-import.mjs';

/**
 * @typedef {import('./read-imports.mjs').Import & { to: import('./resolve-import.mjs').Resolution }} Edge
 * @typedef {{ path: string, edges: Edge[], connectingGlobals: import('./read-imports.mjs').GlobalUse[], isClient: boolean }} SourceFile
 * @typedef {Map<string, SourceFile>} ImportGraph
 *
 * A violation of a rule; `line` is 0 for a whole file or folder.
 * @typedef {{ path: string, line: number, message: string }} Finding
 */

/**
 * The imports among `sources` (path → text).
 * @param {Map<string, string>} sources
 */
export function buildImportGraph(sources) {
  return new Map(
    [...sources].map(([path, text]) => {
      const { imports, connectingGlobals } = readImports(path, text);
      const edges = imports.map((one) => ({ ...one, to: resolveImport(path, one.specifier, sources) }));
      return [path, { path, edges, connectingGlobals, isClient: /^'use client';/m.test(text) }];
    }),
  );
}
