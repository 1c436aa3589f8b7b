import { parseSync, Visitor } from 'oxc-parser';

/** Parses only files with a spread of something in braces. */
const SUSPECT = /\.\.\.\s*\{/;

/**
 * Object literals that are spread where their properties could be written: `{ ...{ a, b }, c }` and `<Page {...{ a, b }} />`. They keep the
 * formatter from giving each property a line, and TypeScript from rejecting properties that do not exist.
 * @param {string} path
 * @param {string} text
 */
export function findFakeSpreads(path, text) {
  /** @type {import('./import-graph.mjs').Finding[]} */
  const findings = [];
  if (!SUSPECT.test(text)) return findings;
  /** @param {{ start: number, argument: { type: string } }} spread */
  const visit = ({ start, argument }) => {
    if (argument.type !== 'ObjectExpression') return;
    const line = text.slice(0, start).split('\n').length;
    findings.push({ path, line, message: 'write the properties out instead of spreading a literal of them' });
  };
  new Visitor({ SpreadElement: visit, JSXSpreadAttribute: visit }).visit(parseSync(path, text).program);
  return findings;
}
