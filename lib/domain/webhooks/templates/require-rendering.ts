import { invalidField } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { createEvents } from '../formats/sample-events';
import type { Rendered } from './rendered';
import { templateThreads } from './template-threads';

const QUOTED = 'Checkout "EU"';

/** What a template writes for a sample of an event. */
export type RenderedSample = { event: string; rendered: Rendered };

/**
 * What a template writes for a sample of each event, with texts that a body in JSON has to escape. The first failure is the last of the
 * list. Throws FORBIDDEN.
 */
export async function previewTemplate(ctx: OrganizationContext, template: string): Promise<RenderedSample[]> {
  requirePermission(ctx, 'webhook.update');
  return renderSamples(ctx.organizationId, template);
}

/** The same for an endpoint, which is then judged by `requireRendering`. */
export async function renderSamples(organizationId: string, template: string): Promise<RenderedSample[]> {
  const samples = createEvents({ name: QUOTED, title: QUOTED, errorMessage: 'responded with "503"' });
  const rendered = await templateThreads.render(organizationId, template, samples);
  return rendered.map((each, index) => ({ event: samples[index]?.event ?? '', rendered: each }));
}

/** Throws VALIDATION_ERROR for a template that fails with any event, or whose body is to be JSON and is not. */
export function requireRendering(samples: readonly RenderedSample[], headers: Record<string, string>): void {
  const isJson = sendsJson(headers);
  for (const { event, rendered } of samples) {
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
