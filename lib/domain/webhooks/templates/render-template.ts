import { Context, type Emitter, Liquid, LiquidError, toValue, toValueSync } from 'liquidjs';
import { FILTERS } from './filters';
import { type Rendered, TIME_LIMIT_MS, TOO_MUCH_MEMORY, TOO_SLOW } from './rendered';

const MAX_TEMPLATE = 10_000;
/** Most characters of a rendered body. */
const MAX_OUTPUT = 64 * 1024;
/** What values, ranges and arrays may take together, in characters and items. */
const MEMORY_LIMIT = 200_000;
/** Tags that read files, or repeat what they have written. */
const REFUSED_TAGS = ['include', 'render', 'layout', 'block', 'capture'];

const TOO_LONG = `writes more than ${MAX_OUTPUT} characters`;

const engine = createEngine();

/**
 * Renders a Liquid template with the payloads of events, each of which is all that it can read. The first failure is the last of the
 * list. Never throws. This is for the thread of `template-threads.ts`: what the limits miss cannot be interrupted.
 */
export function renderTemplate(template: string, events: readonly object[]): Rendered[] {
  const rendered: Rendered[] = [];
  const deadline = performance.now() + TIME_LIMIT_MS;
  try {
    const parsed = engine.parse(template);
    for (const event of events) {
      const renderLimit = deadline - performance.now();
      const context = new Context(event, engine.options, { sync: true, renderLimit }, { liquid: engine });
      const emitter = new BoundedEmitter();
      toValueSync(engine.renderer.renderTemplates(parsed, context, emitter));
      rendered.push({ text: emitter.buffer, problem: null });
    }
  } catch (error) {
    rendered.push({ text: null, problem: explain(error) });
  }
  return rendered;
}

/** What a template has written, which ends it when it becomes too much. */
class BoundedEmitter implements Emitter {
  buffer = '';

  write(value: unknown): void {
    this.buffer += toText(value);
    if (this.buffer.length > MAX_OUTPUT) throw new Error(TOO_LONG);
  }
}

/** A value as Liquid writes it. */
function toText(value: unknown): string {
  const plain: unknown = toValue(value);
  if (plain === null || plain === undefined) return '';
  return Array.isArray(plain) ? plain.map(toText).join('') : String(plain);
}

function createEngine(): Liquid {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: MAX_TEMPLATE,
    memoryLimit: MEMORY_LIMIT,
    timezoneOffset: 0,
    locale: 'en-US',
    // Without tags that read files; there are none either.
    templates: {},
  });
  for (const name of REFUSED_TAGS) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) delete liquid.filters[name];
  for (const [name, filter] of Object.entries(FILTERS)) liquid.registerFilter(name, filter);
  return liquid;
}

/** What went wrong, with its place in the template, for people. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be rendered';
  if (!LiquidError.is(error)) return error instanceof RangeError ? TOO_MUCH_MEMORY : 'cannot be rendered';
  const [line, column] = error.token.getPosition();
  const [message = ''] = error.message.split(/, (?:line:|file:)/, 1);
  if (message.includes('render limit')) return TOO_SLOW;
  return `line ${line}, column ${column}: ${message.slice(0, 200)}`;
}
