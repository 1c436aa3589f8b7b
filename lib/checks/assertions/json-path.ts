import {
  JSONPathEnvironment,
  JSONPathError,
  JSONPathNode,
  type JSONPathQuery,
  type JSONValue,
  jsonpath,
  Nothing,
  type Token,
  TokenKind,
} from 'json-p3';
import { Pattern } from './pattern';
import { payForPath } from './pattern-budget';
import type { WorkLimit } from './work-limit';

const { selectors, expressions } = jsonpath;
type Expression = InstanceType<typeof expressions.FilterExpression>;
type Selector = InstanceType<typeof selectors.JSONPathSelector>;

/** What looking at one value costs, compared with one step of a pattern. */
const STEPS_PER_VALUE = 10;
const TOO_MANY = 'its path visits too many values';

/** The patterns of `match` and `search`, which must be literals, so that a response cannot bring its own. */
const patterns = new WeakMap<Expression, Pattern>();

class Environment extends JSONPathEnvironment {
  override checkWellTypedness(token: Token, args: Expression[]): Expression[] {
    const checked = super.checkWellTypedness(token, args);
    if (token.value !== 'match' && token.value !== 'search') return checked;
    const [, pattern] = args;
    if (!(pattern instanceof expressions.StringLiteral))
      throw new Error(`${token.value}() needs a literal pattern`);
    try {
      patterns.set(pattern, new Pattern(pattern.value));
    } catch (error) {
      throw new Error(`the pattern of ${token.value}() ${messageOf(error)}`, { cause: error });
    }
    return checked;
  }
}

const environment = new Environment();

/**
 * A JSON path (RFC 9535). json-p3 parses it and decides what is equal or less; the values are visited here, because that package
 * cannot limit how many there are, and would run patterns that backtrack.
 */
export class JsonPath {
  readonly #query: JSONPathQuery;

  /** Throws if it is not valid or too large, with a message that continues "the path …". */
  constructor(text: string) {
    payForPath(text);
    try {
      this.#query = environment.compile(text);
    } catch (error) {
      // The package's own words name the tokens of its parser.
      const reason =
        error instanceof JSONPathError ? ` at character ${error.token.index + 1}` : `: ${messageOf(error)}`;
      throw new Error(`is not valid${reason}`, { cause: error });
    }
  }

  /** The values that it selects, in document order. Throws an `EvaluationError` if there are too many to look at. */
  select(document: JSONValue, limit: WorkLimit): JSONValue[] {
    return new Selection(document, limit).query(this.#query, document);
  }
}

/** A query in a filter selects values; everything else is a value, or whether something holds. */
class Values {
  constructor(readonly list: readonly JSONValue[]) {}
}

class Selection {
  constructor(
    private readonly root: JSONValue,
    private readonly limit: WorkLimit,
  ) {}

  query({ segments }: JSONPathQuery, from: JSONValue): JSONValue[] {
    let values = [from];
    for (const segment of segments) {
      const found: JSONValue[] = [];
      const isDescent = segment.token.kind === TokenKind.DDOT;
      for (const value of values) {
        for (const visited of isDescent ? this.descend(value) : [value]) {
          for (const selector of segment.selectors) this.select(selector, visited, found);
        }
      }
      values = found;
    }
    return values;
  }

  private select(selector: Selector, value: JSONValue, found: JSONValue[]): void {
    if (selector instanceof selectors.WildcardSelector) {
      for (const child of this.children(value)) found.push(child);
    } else if (selector instanceof selectors.FilterSelector) {
      for (const child of this.children(value)) if (this.holds(selector.expression, child)) found.push(child);
    } else {
      this.spend(selector instanceof selectors.SliceSelector && Array.isArray(value) ? 1 + value.length : 1);
      for (const node of selector.resolve(new JSONPathNode(value, [], this.root))) found.push(node.value);
    }
  }

  /** A value and all within it, as they are written, without recursion: a response may nest as deep as it likes. */
  private *descend(from: JSONValue): Generator<JSONValue> {
    const pending = [from];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      yield value;
      const children = this.children(value);
      for (let index = children.length - 1; index >= 0; index -= 1) {
        const child = children[index];
        if (child !== undefined) pending.push(child);
      }
    }
  }

  private children(value: JSONValue): readonly JSONValue[] {
    if (typeof value !== 'object' || value === null) {
      this.spend(1);
      return [];
    }
    const children = Array.isArray(value) ? value : Object.values(value);
    this.spend(1 + children.length);
    return children;
  }

  private holds(expression: Expression, current: JSONValue): boolean {
    const found = this.evaluate(expression, current);
    return found instanceof Values ? found.list.length > 0 : found === true;
  }

  private evaluate(expression: Expression, current: JSONValue): unknown {
    this.spend(1);
    if (expression instanceof expressions.LogicalExpression)
      return this.holds(expression.expression, current);
    if (expression instanceof expressions.PrefixExpression) return !this.holds(expression.right, current);
    if (expression instanceof expressions.InfixExpression) return this.compare(expression, current);
    if (expression instanceof expressions.RelativeQuery)
      return new Values(this.query(expression.path, current));
    if (expression instanceof expressions.RootQuery)
      return new Values(this.query(expression.path, this.root));
    if (expression instanceof expressions.FunctionExtension) return this.call(expression, current);
    const literal = expression as Expression & { value?: JSONValue };
    return expression instanceof expressions.NullLiteral ? null : literal.value;
  }

  private compare(
    { left, operator, right }: InstanceType<typeof expressions.InfixExpression>,
    current: JSONValue,
  ) {
    if (operator === '&&') return this.holds(left, current) && this.holds(right, current);
    if (operator === '||') return this.holds(left, current) || this.holds(right, current);
    const [one, other] = [left, right].map((side) => only(this.evaluate(side, current)));
    if (isStructure(one) && isStructure(other)) for (const _ of this.descend(one)) this.spend(1);
    if (typeof one === 'string') this.spend(1 + one.length / 100);
    return expressions.compare(one, operator, other);
  }

  private call(
    { name, args }: InstanceType<typeof expressions.FunctionExtension>,
    current: JSONValue,
  ): unknown {
    const [found, pattern] = args.map((arg) => this.evaluate(arg, current));
    if (name === 'count') return found instanceof Values ? found.list.length : Nothing;
    const value = only(found);
    if (name === 'value') return value;
    if (name === 'length') return typeof value === 'string' ? value.length : this.lengthOf(value);
    const [, literal] = args;
    const compiled = literal && patterns.get(literal);
    if (typeof value !== 'string' || typeof pattern !== 'string' || !compiled) return false;
    return name === 'match' ? compiled.isWhole(value, this.limit) : compiled.isIn(value, this.limit);
  }

  private lengthOf(value: unknown): unknown {
    return isStructure(value) ? this.children(value).length : Nothing;
  }

  private spend(values: number): void {
    this.limit.spend(values * STEPS_PER_VALUE, TOO_MANY);
  }
}

function only(found: unknown): unknown {
  if (!(found instanceof Values)) return found;
  return found.list.length === 1 ? found.list[0] : Nothing;
}

function isStructure(value: unknown): value is JSONValue & object {
  return typeof value === 'object' && value !== null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
