/** @typedef {import('./import-graph.mjs').ImportGraph} ImportGraph */

/**
 * Files that import each other, including tests and types: neither can be understood before the other. One finding per
 * cycle, with its whole path.
 * @param {ImportGraph} graph
 */
export function checkCycles(graph) {
  /** @type {import('./import-graph.mjs').Finding[]} */
  const findings = [];
  /** @type {Set<string>} */
  const done = new Set();
  /** @type {string[]} */
  const trail = [];

  /** @param {string} path */
  const visit = (path) => {
    if (done.has(path)) return;
    trail.push(path);
    for (const { line, to } of graph.get(path)?.edges ?? []) {
      if (to.kind !== 'file') continue;
      const start = trail.indexOf(to.path);
      if (start === -1) visit(to.path);
      else
        findings.push({
          path,
          line,
          message: `import cycle: ${[...trail.slice(start), to.path].join(' → ')}`,
        });
    }
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return findings;
}
