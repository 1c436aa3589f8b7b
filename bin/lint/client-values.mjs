import { isTestCode } from './zones.mjs';

/** @typedef {import('./import-graph.mjs').ImportGraph} ImportGraph */

/** How components are named; a constant or a function is not. */
const COMPONENT = /^[A-Z]\w*[a-z]/;

/**
 * What pages and routes take from a module of browsers ('use client') and is no component: the server has only a reference to it, which throws
 * when it is called and has no properties.
 * @param {ImportGraph} graph
 */
export function checkClientValues(graph) {
  /** @type {import('./import-graph.mjs').Finding[]} */
  const findings = [];
  /** @type {Set<string>} */
  const seen = new Set();

  /** @param {string} path */
  const visit = (path) => {
    const file = graph.get(path);
    if (file === undefined || file.isClient || seen.has(path)) return;
    seen.add(path);
    for (const { to, typeOnly, names, line } of file.edges) {
      if (typeOnly || to.kind !== 'file') continue;
      const values = graph.get(to.path)?.isClient
        ? (names ?? []).filter((name) => !COMPONENT.test(name))
        : [];
      if (values.length > 0) {
        const message = `takes ${values.join(', ')} from ${to.path}, which runs in browsers: move it to a module without 'use client'`;
        findings.push({ path, line, message });
      }
      visit(to.path);
    }
  };
  for (const path of graph.keys()) if (path.startsWith('app/') && !isTestCode(path)) visit(path);
  return findings;
}
