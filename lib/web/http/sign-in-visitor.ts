import 'server-only';
import { type SignedIn, signIn } from '@/lib/web/auth/sign-in';
import { countedAddress } from './client-address';
import { getPasswordThrottle } from './password-throttle';
import { getWeb } from './server-services';
import { readKnownBrowserCookie, setKnownBrowserCookie } from './session-cookies';
import { readVisitor } from './visitor';

/** `signIn` for who sent this request, by a form or by next-auth's path. The session's cookie is set by who calls. */
export async function signInVisitor(input: unknown): Promise<SignedIn> {
  const visitor = await readVisitor();
  const { services } = getWeb();
  const signedIn = await signIn({ services, throttle: getPasswordThrottle() }, input, {
    ...visitor,
    countedAddress: visitor.address && countedAddress(visitor.address),
    knownBrowser: await readKnownBrowserCookie(),
  });
  await setKnownBrowserCookie(signedIn.email);
  return signedIn;
}
