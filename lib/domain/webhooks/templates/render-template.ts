import { Liquid, LiquidError } from 'liquidjs';
import { formatTiming } from '@/lib/core/time/duration';
import { FILTERS } from './filters';
import { isTimeout, runWithTimeout, TIMEOUT_MS } from './run-with-timeout';

const MAX_TEMPLATE = 10_000;
/** Most characters of a rendered body. */
const MAX_OUTPUT = 64 * 1024;
/** What values, ranges and arrays may take together, in characters and items. */
const MEMORY_LIMIT = 200_000;
/** Tags that read files, or repeat what they have written. */
const REFUSED_TAGS = ['include', 'render', 'layout', 'block', 'capture'];

/** A rendered template, or what is wrong with it. */
export type Rendered = { text: string; problem: null } | { text: null; problem: string };

const engine = createEngine();

/**
 * Renders a Liquid template with the payload of an event, which is all that it can read. Ends within 50 ms: V8 interrupts whatever
 * runs then. Never throws.
 */
export function renderTemplate(template: string, event: object): Rendered {
  try {
    const text = runWithTimeout(() => engine.parseAndRenderSync(template, event));
    return text.length > MAX_OUTPUT
      ? { text: null, problem: `writes more than ${MAX_OUTPUT} characters` }
      : { text, problem: null };
  } catch (error) {
    return { text: null, problem: explain(error) };
  }
}

function createEngine(): Liquid {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: MAX_TEMPLATE,
    renderLimit: TIMEOUT_MS,
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
  if (isTimeout(error)) return TOO_SLOW;
  if (!(error instanceof Error)) return 'cannot be rendered';
  if (!LiquidError.is(error))
    return error instanceof RangeError ? 'needs too much memory' : 'cannot be rendered';
  const [line, column] = error.token.getPosition();
  const [message = ''] = error.message.split(/, (?:line:|file:)/, 1);
  if (message.includes('render limit')) return TOO_SLOW;
  return `line ${line}, column ${column}: ${message.slice(0, 200)}`;
}

const TOO_SLOW = `takes longer than ${formatTiming(TIMEOUT_MS)}`;
