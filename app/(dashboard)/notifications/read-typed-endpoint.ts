import { parseInput, unsavedTestSchema } from '@/lib/schemas/validation';
import { getWeb } from '@/lib/web/http/server-services';
import { readEndpointForm } from './endpoint-values';

/** More than a person needs to get a channel right; tests go to hosts that anyone can name. */
const TESTS_PER_MINUTE = 20;

/** What is typed in the form of a channel, for a test of it, as `readEndpointForm` returns it. Throws RATE_LIMITED after many tests. */
export async function readTypedEndpoint(
  { organizationId }: { organizationId: string },
  body: unknown,
): Promise<Record<string, unknown>> {
  const { typed } = parseInput(unsavedTestSchema, body);
  await getWeb().rateLimiter.count(`unsaved tests ${organizationId}`, TESTS_PER_MINUTE);
  const form = new FormData();
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  return readEndpointForm(form);
}
