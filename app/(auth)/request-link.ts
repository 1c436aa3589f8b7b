import 'server-only';
import { after } from 'next/server';
import type { LinkRequestState } from '@/components/auth/sign-in-forms';
import { freshState } from '@/components/ui/forms/form-state';
import type { Services } from '@/lib/domain/context/services';
import { linkRequestSchema } from '@/lib/schemas/people';
import { parseInput } from '@/lib/schemas/validation';
import { countedAddress } from '@/lib/web/http/address/request-address';
import { readVisitor } from '@/lib/web/http/dashboard-session';
import { getPasswordThrottle } from '@/lib/web/http/password-throttle';
import { getWeb } from '@/lib/web/http/server-services';
import { requirePasswordSignIn } from '@/lib/web/http/sign-in/password-sign-in';

/**
 * Handles a request for an emailed link. The response is the same for every address and is sent before the address is looked
 * up, so that neither its content nor its timing reveals whether there is an account.
 */
export async function requestLink(
  form: FormData,
  send: (services: Services, email: string) => Promise<void>,
): Promise<LinkRequestState> {
  requirePasswordSignIn();
  const { email } = parseInput(linkRequestSchema, { email: form.get('email') });
  const { address } = await readVisitor();
  await getPasswordThrottle().countMail({ email, address: address && countedAddress(address) });
  after(async () => {
    const { services, log } = getWeb();
    try {
      await send(services, email);
    } catch (error) {
      log.error({ err: error }, 'failed to queue an email with a link');
    }
  });
  return { ...freshState(), sentTo: email };
}
