import type { CssNode } from 'css-tree';
import generate from 'css-tree/generator';
import parse from 'css-tree/parser';
import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import walk from 'css-tree/walker';
import { MAX_CUSTOM_CSS } from './brand-limits';

/** Rules that contain styles; none of them loads anything. */
const AT_RULES = ['media', 'supports', 'container', 'layer', 'keyframes', 'starting-style', 'page'];

/** Functions that calculate values or draw. What is not here may load something, now or in a future browser. */
const FUNCTIONS = new Set(
  [
    'var env calc min max clamp round mod rem abs sign sin cos tan asin acos atan atan2 pow sqrt hypot log exp',
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark',
    'linear-gradient radial-gradient conic-gradient',
    'repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient',
    'translate translateX translateY translateZ translate3d scale scaleX scaleY scaleZ scale3d',
    'rotate rotateX rotateY rotateZ rotate3d skew skewX skewY matrix matrix3d perspective',
    'blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia',
    'cubic-bezier steps linear minmax repeat fit-content counter counters',
    'inset circle ellipse polygon rect',
  ]
    .join(' ')
    .toLowerCase()
    .split(' '),
);

/**
 * How deep brackets may be nested. The parser is recursive, and where it runs out of stack, it goes back and parses the rest of each level another time, which can take hours.
 */
const MAX_DEPTH = 32;

/**
 * How many characters the parser gets. Where brackets do not match, css-tree 3.2.1 reads a token at the index that is the length of its text,
 * which one of an earlier text can have left, and can loop forever. With this length there is never one: the whitespace that fills a text up
 * is a single token.
 */
const PARSED_LENGTH = MAX_CUSTOM_CSS + 2;

const CLOSES = new Map<number, number>([
  [tokenTypes.Function, tokenTypes.RightParenthesis],
  [tokenTypes.LeftParenthesis, tokenTypes.RightParenthesis],
  [tokenTypes.LeftSquareBracket, tokenTypes.RightSquareBracket],
  [tokenTypes.LeftCurlyBracket, tokenTypes.RightCurlyBracket],
]);

type Place = { line: number; column: number };

/** What custom CSS becomes: the styles to send, or what is wrong with it, as a predicate. */
export type CustomCss = { css: string } | { problem: string };

/** Why CSS is refused, as a predicate. */
class RefusedCss extends Error {}

/**
 * Parses custom CSS of at most `MAX_CUSTOM_CSS` characters. What is sent is generated from the result: without comments, with everything
 * closed, and never the end of a `<style>` element. CSS that is not valid, or could load something, is refused with its place. The first
 * problem ends the work: each one costs the parser as much as a hundred rules, and a text can have ten thousand.
 */
export function readCustomCss(source: string): CustomCss {
  try {
    return { css: generateCss(source) };
  } catch (error) {
    if (error instanceof RefusedCss) return { problem: error.message };
    throw error;
  }
}

function generateCss(source: string): string {
  if (measureDepth(source) > MAX_DEPTH) throw new RefusedCss(`is nested more than ${MAX_DEPTH} deep`);
  if (source.length > MAX_CUSTOM_CSS) throw new RefusedCss(`must be at most ${MAX_CUSTOM_CSS} characters`);
  const filling = PARSED_LENGTH - source.length;
  const sheet = parse('\n'.repeat(filling) + source, {
    positions: true,
    line: 1 - filling,
    parseCustomProperty: true,
    onParseError: ({ message, line, column }) => {
      throw new RefusedCss(`is not valid${formatPlace({ line, column })}${formatReason(message)}`);
    },
  });
  // What was not understood is refused even where the parser has no complaint.
  walk(sheet, (node, item, list) => {
    // The parser keeps those with an exclamation mark.
    if (node.type === 'Comment') list?.remove(item);
    const problem = findProblem(node, formatPlace(node.loc?.start));
    if (problem !== null) throw new RefusedCss(problem);
  });
  const css = generate(sheet);
  if (css.includes('</')) throw new RefusedCss('must not contain “</”');
  return css;
}

/** How deep brackets are nested at most; one that is closed by another kind counts as open until the end. */
function measureDepth(source: string): number {
  const open: number[] = [];
  let depth = 0;
  tokenize(source, (type) => {
    const end = CLOSES.get(type);
    if (end !== undefined) depth = Math.max(depth, open.push(end));
    else if (open.at(-1) === type) open.pop();
  });
  return depth;
}

/** What is wrong with a part of the CSS at a place; null if nothing is. */
function findProblem(node: CssNode, place: string): string | null {
  switch (node.type) {
    case 'Url':
      return `has url()${place}: nothing can be loaded`;
    case 'Function':
      if (FUNCTIONS.has(node.name.toLowerCase())) return null;
      return `has the function ${node.name}()${place}, which is not supported`;
    case 'Atrule':
      if (AT_RULES.includes(node.name.toLowerCase())) return null;
      return `has @${node.name}${place}: only ${formatAtRules()} are supported`;
    case 'Raw':
      return /^[;\s]*$/.test(node.value) ? null : `is not valid${place}`;
    case 'CDO':
    case 'CDC':
      return `has an HTML comment${place}`;
    default:
      return null;
  }
}

function formatAtRules(): string {
  const names = AT_RULES.map((name) => `@${name}`);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function formatPlace(place: Place | undefined): string {
  return place === undefined ? '' : ` in line ${place.line}, column ${place.column}`;
}

/** The parser's `Colon is expected` as `: colon is missing`; nothing for its other messages, which name no part of the syntax. */
function formatReason(message: string): string {
  const [missing = '', ...rest] = message.split(' is expected');
  return rest.length === 0 ? '' : `: ${missing.charAt(0).toLowerCase()}${missing.slice(1)} is missing`;
}
