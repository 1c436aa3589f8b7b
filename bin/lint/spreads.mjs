import { parseSync, Visitor } from 'oxc-parser';

/** Parses only files with a spread of something in braces or brackets. */
const SUSPECT = /\.\.\.\s*[{[]/;
const LITERALS = ['ObjectExpression', 'ArrayExpression'];

/**
 * Literals that are spread where their contents could be written: `{ ...{ a, b }, c }`, `<Page {...{ a, b }} />` and `[...[1, 2], 3]`. They keep
 * the formatter from laying them out, and TypeScript from rejecting properties that do not exist.
 * @param {string} path
 * @param {string} text
 */
export function findFakeSpreads(path, text) {
  /** @type {import('./import-graph.mjs').Finding[]} */
  const findings = [];
  if (!SUSPECT.test(text)) return findings;
  /** @param {{ start: number, argument: { type: string } }} spread */
  const visit = ({ start, argument }) => {
    if (!LITERALS.includes(argument.type)) return;
    const line = text.slice(0, start).split('\n').length;
    findings.push({ path, line, message: 'write the contents out instead of spreading a literal of them' });
  };
  new Visitor({ SpreadElement: visit, JSXSpreadAttribute: visit }).visit(parseSync(path, text).program);
  return findings;
}
