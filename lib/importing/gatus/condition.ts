import { literal } from '../plan/assertions';

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A condition of Gatus, such as `len([BODY].items) > 3`. */
export type Condition = {
  /** What is compared, as written: `len([BODY].items)`. */
  left: string;
  wrapper: 'len' | 'has' | 'age' | null;
  /** The placeholder: `[BODY]`. */
  subject: string;
  /** What follows it, without the first dot: `items`. */
  path: string | null;
  operator: Operator;
  right: string;
};

/** Longer conditions have no counterpart, and would take long to match. */
const MAX_LENGTH = 2000;
const OPERATORS = ['==', '!=', '<=', '>=', '>', '<'] as const;
const LEFT = /^(?:(len|has|age)\()?(\[[A-Za-z_]+\])(?:\.?(.+?))??(\))?$/s;
const MIRRORED: Record<Operator, Operator> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/**
 * Splits a condition as https://github.com/TwiN/gatus/blob/master/config/endpoint/condition.go does: by the first of its operators that the
 * text contains, and without what follows a second one. Null for another form, such as one that compares two placeholders.
 */
export function parseCondition(text: string): Condition | null {
  if (text.length > MAX_LENGTH) return null;
  const operator = OPERATORS.find((each) => text.includes(` ${each} `));
  if (operator === undefined) return null;
  const [first = '', second = ''] = text.split(` ${operator} `).map((side) => side.trim());
  return withSubject(first, operator, second) ?? withSubject(second, MIRRORED[operator], first);
}

/** Whether a text joins conditions. Gatus has no operators for it, and compares with the words between the first two of its own. */
export function joinsConditions(text: string): boolean {
  return /\s(?:\|\||&&)\s[\s(]*(?:(?:len|has)\()?\[[a-z_]+\]/i.test(text.slice(0, MAX_LENGTH));
}

function withSubject(left: string, operator: Operator, right: string): Condition | null {
  const [, wrapper = null, subject, path = null, end] = LEFT.exec(left) ?? [];
  if (subject === undefined || (wrapper === null) !== (end === undefined) || isPlaceholder(right))
    return null;
  return {
    left,
    wrapper: wrapper as Condition['wrapper'],
    subject: subject.toUpperCase(),
    path,
    operator,
    right,
  };
}

function isPlaceholder(text: string): boolean {
  return /^(?:(?:len|has|age)\()?\[[A-Za-z_]+\]/.test(text);
}

/** What `==` compares with: texts, where one is enough, or wildcards for the whole value. */
export type Operand = { texts: string[] } | { glob: string };

/** Null for wildcards that cannot be translated: classes and escapes. */
export function readOperand(right: string): Operand | null {
  const any = /^any\((.*)\)$/s.exec(right)?.[1];
  if (any !== undefined) return { texts: any.split(',').map((each) => each.trim()) };
  const glob = /^pat\((.*)\)$/s.exec(right)?.[1];
  if (glob === undefined) return { texts: [right] };
  return /[[\\]/.test(glob) ? null : { glob };
}

/** Wildcards as a pattern of RE2 for the whole value. */
export function toPattern(glob: string): string {
  return literal(glob)
    .replaceAll(/(?:\\\*)+/g, '.*')
    .replaceAll('\\?', '.');
}

/** Wildcards as one for a part of the value: without anchors where they begin or end with `*`. */
export function toSearch(glob: string, [start, end]: readonly [string, string] = ['^', '$']): string {
  const [inner = ''] = /[^*](?:.*[^*])?/s.exec(glob) ?? [];
  return `(?s)${glob.startsWith('*') ? '' : start}${toPattern(inner)}${glob.endsWith('*') ? '' : end}`;
}

/** Whether what `==` compares with is equal to a value of a few characters. */
export function isEqualTo(right: string, value: string): boolean {
  const operand = readOperand(right);
  if (operand === null) return false;
  return 'texts' in operand
    ? operand.texts.includes(value)
    : new RegExp(`^${toPattern(operand.glob)}$`, 's').test(value);
}

/** The text in `pat(*text*)`; null for every other glob. */
export function textWithin(glob: string): string | null {
  return /^\*([^*?]+)\*$/s.exec(glob)?.[1] ?? null;
}
