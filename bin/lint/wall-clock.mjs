import { parseSync, Visitor } from 'oxc-parser';

/** @typedef {import('oxc-parser').Node} Node */
/** @typedef {import('oxc-parser').CallExpression} Call */

/** Where the time of the machine comes from. */
const CLOCKS = /^(performance\.now|Date\.now|process\.hrtime(\.bigint)?|process\.uptime)\(|^new Date\(\)/;
/** How long something took, as the product and its reports call it. */
const MEASURED = /^(responseTime|elapsed|elapsedMs|duration|durationMs|took|tookMs)$/;
const UPPER = /^toBeLessThan(OrEqual)?$/;
const LOWER = /^toBeGreaterThan(OrEqual)?$/;
/** The timeouts of monitors are in seconds. */
const MIN_LIMIT_MS = 300;
/** What takes a limit for how long to wait. */
const RUNNERS = /^(it|test|describe|beforeAll|beforeEach|afterAll|afterEach)\b/;
const WAITERS = /(^|\.)(poll|waitFor|waitUntil|waitForEnd|setTimeout|toPass|to(Be|Have|Contain|Match)\w*)$/;

/**
 * What a test must not do with the clock of the machine, a line each: assert that something took at most so long, and say for how long it
 * waits. A slow machine would fail a correct product. A duration is a difference from a moment of that clock, or what the product measured;
 * names keep what they were given. Lower bounds are allowed, because they hold on a slow machine.
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function findWallClock(path, text) {
  const { program } = parseSync(path, text);
  const textOf = (/** @type {Node} */ node) => text.slice(node.start, node.end);
  const time = learnTime(program, textOf);
  /** @type {string[]} */
  const found = [];
  const note = (/** @type {Node} */ node, /** @type {string} */ what) => {
    const line = text.slice(0, node.start).split('\n').length;
    found.push(`${path}:${line} ${what}`);
  };
  new Visitor({
    CallExpression(call) {
      const limited = readBounded(call);
      if (limited && (time.isDuration(limited) || isMeasured(limited)))
        note(call, 'asserts how long something takes: count, hand in a clock, or move it to a benchmark');
      const limit = readLimit(call, textOf);
      if (limit) note(limit, 'says how long to wait: that is up to bin/testing/patience.mjs');
    },
  }).visit(program);
  return found;
}

/**
 * What a comparison says has an upper bound.
 * @param {Call} call
 * @returns {Node | undefined}
 */
function readBounded({ callee, arguments: [wanted] }) {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined;
  const expectation = callee.object;
  if (UPPER.test(callee.property.name) && expectation.type === 'CallExpression')
    return expectation.arguments[0];
  return LOWER.test(callee.property.name) ? wanted : undefined;
}

/**
 * @param {Node} node
 * @returns {boolean}
 */
function isMeasured(node) {
  if (node.type === 'ChainExpression') return isMeasured(node.expression);
  return (
    node.type === 'MemberExpression' &&
    node.property.type === 'Identifier' &&
    MEASURED.test(node.property.name)
  );
}

/**
 * The number that limits how long a test, a hook or a helper waits.
 * @param {Call} call
 * @param {(node: Node) => string} textOf
 * @returns {Node | undefined}
 */
function readLimit({ callee, arguments: words }, textOf) {
  const name = textOf(callee).replace(/\s+/g, '');
  const last = words.at(-1);
  if (/^vi\.wait(For|Until)$/.test(name)) return callee;
  if (!last || !(RUNNERS.test(name) || WAITERS.test(name))) return undefined;
  const isSet = name === 'test.setTimeout';
  const isTimer = !isSet && /(^|\.)setTimeout$/.test(name);
  if (isTimer) return undefined;
  if (last.type === 'ObjectExpression' || words[1]?.type === 'ObjectExpression')
    return words.map(readTimeout).find(Boolean);
  const limits = isSet || RUNNERS.test(name) || /waitFor(End)?$|waitUntil$/.test(name);
  const isNumber = last.type === 'Literal' && typeof last.value === 'number' && last.value >= MIN_LIMIT_MS;
  return limits && isNumber ? last : undefined;
}

/** @param {Node} node */
function readTimeout(node) {
  if (node.type !== 'ObjectExpression') return undefined;
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
    const { key, value } = property;
    if (key.name === 'timeout' && value.type === 'Literal' && Number(value.value) >= MIN_LIMIT_MS)
      return value;
  }
  return undefined;
}

/**
 * Tells moments and durations of the machine's clock: directly, or by the names that the file gives them.
 * @param {import('oxc-parser').Program} program
 * @param {(node: Node) => string} textOf
 */
function learnTime(program, textOf) {
  const moments = new Set();
  const durations = new Set();
  /**
   * The same question about the parts that decide the value of an expression.
   * @param {Node} node
   * @param {Set<string>} names
   * @param {(node: Node) => boolean} ask
   * @returns {boolean}
   */
  const askParts = (node, names, ask) => {
    switch (node.type) {
      case 'Identifier':
        return names.has(node.name);
      case 'MemberExpression':
        return names.has(textOf(node.property)) || ask(node.object);
      case 'CallExpression':
        return (
          ask(node.callee) || (/^(Math|Number|Date)\b/.test(textOf(node.callee)) && node.arguments.some(ask))
        );
      case 'NewExpression':
        return node.arguments.some(ask);
      case 'BinaryExpression':
        return /^[-+*/]$/.test(node.operator) && (ask(node.left) || ask(node.right));
      default:
        return resultsOf(node).some((result) => result !== node && ask(result));
    }
  };
  /** @type {(node: Node) => boolean} */
  const isMoment = (node) =>
    CLOCKS.test(textOf(node)) && node.type !== 'BinaryExpression' ? true : askParts(node, moments, isMoment);
  /** @type {(node: Node) => boolean} */
  const isDuration = (node) => {
    if (
      node.type === 'BinaryExpression' &&
      node.operator === '-' &&
      (isMoment(node.left) || isMoment(node.right))
    )
      return true;
    return askParts(node, durations, isDuration);
  };
  const given = listGiven(program, textOf);
  for (let known = -1; known < moments.size + durations.size; ) {
    known = moments.size + durations.size;
    for (const { name, value } of given) {
      if (isDuration(value)) durations.add(name);
      else if (isMoment(value)) moments.add(name);
    }
  }
  return { isDuration };
}

/**
 * What variables, functions, properties and lists are given.
 * @param {import('oxc-parser').Program} program
 * @param {(node: Node) => string} textOf
 */
function listGiven(program, textOf) {
  /** @type {{ name: string, value: Node }[]} */
  const given = [];
  const give = (/** @type {Node | null} */ target, /** @type {Node | null | undefined} */ value) => {
    if (!value || !target) return;
    if (target.type === 'Identifier') given.push({ name: target.name, value });
    if (target.type === 'MemberExpression') give(target.property, value);
    if (target.type === 'AssignmentPattern') give(target.left, value);
    if (target.type === 'ArrayPattern') for (const element of target.elements) give(element, value);
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => give(id, init),
    AssignmentExpression: ({ left, right }) => give(left, right),
    Property: ({ key, value }) => give(key, value),
    FunctionDeclaration: ({ id, body }) => give(id, body),
    CallExpression: ({ callee, arguments: [value] }) => {
      if (callee.type === 'MemberExpression' && textOf(callee.property) === 'push')
        give(callee.object, value);
    },
  }).visit(program);
  return given;
}

/**
 * The parts whose value becomes that of an expression, or of a call of a function.
 * @param {Node} node
 * @returns {Node[]}
 */
function resultsOf(node) {
  switch (node.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return node.body ? [node.body] : [];
    case 'BlockStatement':
      return node.body.flatMap((each) =>
        each.type === 'ReturnStatement' && each.argument ? [each.argument] : [],
      );
    case 'AwaitExpression':
    case 'UnaryExpression':
    case 'SpreadElement':
      return [node.argument];
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return [node.expression];
    case 'LogicalExpression':
      return [node.left, node.right];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate];
    case 'ArrayExpression':
      return node.elements.filter((each) => each !== null);
    default:
      return [];
  }
}
