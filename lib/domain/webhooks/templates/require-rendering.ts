import { invalidField } from '@/lib/core/errors';
import { createEvents } from '../formats/sample-events';
import { type Rendered, renderTemplate } from './render-template';

const QUOTED = 'Checkout "EU"';

/** What a template writes for a sample of each event, with texts that a body in JSON has to escape. */
export function previewTemplate(template: string): { event: string; rendered: Rendered }[] {
  const samples = createEvents({ name: QUOTED, title: QUOTED, errorMessage: 'responded with "503"' });
  return samples.map((event) => ({ event: event.event, rendered: renderTemplate(template, event) }));
}

/** Throws VALIDATION_ERROR for a template that fails with any event, or whose body is to be JSON and is not. */
export function requireRendering(template: string, headers: Record<string, string>): void {
  const isJson = sendsJson(headers);
  for (const { event, rendered } of previewTemplate(template)) {
    if (rendered.text === null) throw invalidField('template', `fails for ${event}: ${rendered.problem}`);
    if (isJson && !isValidJson(rendered.text))
      throw invalidField('template', `${NOT_JSON} ${event}: ${USE_JSON}`);
  }
}

const NOT_JSON = 'does not write valid JSON for';
const USE_JSON = 'write texts with the filter json, or set another Content-Type';

/** Without a `Content-Type` of its own, a body is sent as JSON. */
function sendsJson(headers: Record<string, string>): boolean {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return own === undefined || /\bjson\b/i.test(own[1]);
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
