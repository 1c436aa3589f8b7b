import 'server-only';
import { after } from 'next/server';
import { attempt } from '@/app/attempt';
import type { LinkRequestState } from '@/components/auth/sign-in-forms';
import { readTyped, refusedState } from '@/components/ui/forms/form-state';
import type { Services } from '@/lib/domain/context/services';
import { linkRequestSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { countedAddress } from '@/lib/web/http/address/request-address';
import { readVisitor } from '@/lib/web/http/dashboard-session';
import { getPasswordThrottle } from '@/lib/web/http/password-throttle';
import { getWeb } from '@/lib/web/http/server-services';

/**
 * Handles a request for an emailed link. The response is the same for every address and is sent before the address is looked
 * up, so that neither its content nor its timing reveals whether there is an account.
 */
export async function requestLink(
  previous: LinkRequestState,
  form: FormData,
  send: (services: Services, email: string) => Promise<void>,
): Promise<LinkRequestState> {
  const { services, log } = getWeb();
  const outcome = await attempt(async () => {
    const { email } = parseInput(linkRequestSchema, { email: form.get('email') });
    const { address } = await readVisitor();
    await getPasswordThrottle().countMail({ email, address: address && countedAddress(address) });
    return email;
  });
  if (!outcome.ok) return { ...refusedState(previous, outcome.error, readTyped(form)), sentTo: null };
  const email = outcome.value;
  after(async () => {
    try {
      await send(services, email);
    } catch (error) {
      log.error({ err: error }, 'failed to queue an email with a link');
    }
  });
  return { ...previous, message: null, errors: {}, sentTo: email };
}
