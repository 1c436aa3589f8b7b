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
const FORM = /^\s*(\S.*?) (==|!=|<=|>=|<|>) (.*\S)\s*$/s;
const LEFT = /^(?:(len|has|age)\()?(\[[A-Za-z_]+\])(?:\.?(.+?))??(\))?$/s;
const MIRRORED: Record<Operator, Operator> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** Splits a condition. Null for another form, such as one that compares two placeholders. */
export function parseCondition(text: string): Condition | null {
  if (text.length > MAX_LENGTH) return null;
  const [, first = '', operator, second = ''] = FORM.exec(text) ?? [];
  if (operator === undefined) return null;
  return (
    withSubject(first.trim(), operator as Operator, second.trim()) ??
    withSubject(second.trim(), MIRRORED[operator as Operator], first.trim())
  );
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

/** What `==` compares with: texts, where one is enough, or a pattern for the whole value; null for one that cannot be translated. */
export function readOperand(right: string): { texts: string[] } | { pattern: string } | null {
  const any = /^any\((.*)\)$/s.exec(right)?.[1];
  if (any !== undefined) return { texts: any.split(',').map((each) => each.trim()) };
  const glob = /^pat\((.*)\)$/s.exec(right)?.[1];
  if (glob === undefined) return { texts: [right] };
  return /[[\\]/.test(glob) ? null : { pattern: toPattern(glob) };
}

/** A pattern of wildcards as one of RE2, without anchors where it begins or ends with `*`. */
function toPattern(glob: string): string {
  const [inner = ''] = /[^*](?:.*[^*])?/s.exec(glob) ?? [];
  const body = literal(inner).replaceAll('\\*', '.*').replaceAll('\\?', '.');
  return `(?s)${glob.startsWith('*') ? '' : '^'}${body}${glob.endsWith('*') ? '' : '$'}`;
}

/** The text in `pat(*text*)`; null for every other pattern. */
export function textWithin(right: string): string | null {
  return /^pat\(\*([^*?[\\]+)\*\)$/s.exec(right)?.[1] ?? null;
}
