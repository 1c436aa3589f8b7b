import { cookies } from 'next/headers';
import NextAuth from 'next-auth';
import { safePath } from '@/app/(auth)/sign-in/safe-path';
import { DomainError } from '@/lib/core/errors';
import { parseUrl } from '@/lib/core/parse-url';
import { createAuthLogger, withFailure } from '@/lib/web/auth/providers/sign-in-failures';
import { callbackUrlCookieName } from '@/lib/web/auth/session';
import { createAuthOptions } from '@/lib/web/auth/sign-in';
import { isSecureApp, requestBaseUrl, requireSameOrigin } from '@/lib/web/http/address/request-address';
import { getWeb } from '@/lib/web/http/server-services';
import { endLinking } from '@/lib/web/http/sign-in/link-intent';
import { failurePath, listProviders, signInByProvider } from '@/lib/web/http/sign-in/provider-sign-in';
import { signInVisitor } from '@/lib/web/http/sign-in/visitor-sign-in';

type Context = { params: Promise<{ nextauth: string[] }> };

async function handle(request: Request, context: Context): Promise<Response> {
  try {
    requireSameOrigin(request, [requestBaseUrl(request.headers)]);
  } catch (error) {
    if (error instanceof DomainError) return new Response(`${error.message}\n`, { status: 403 });
    throw error;
  }
  const { services, log } = getWeb();
  const callbackUrl = await readCallbackUrl();
  const options = createAuthOptions({
    services,
    isSecure: isSecureApp(),
    signIn: signInVisitor,
    providers: listProviders(),
    signInByProvider: (identity) => signInByProvider(identity, callbackUrl),
    logger: createAuthLogger(log),
  });
  const { result, failure } = await withFailure<Response>(() => NextAuth(options)(request, context));
  const [action, providerId] = (await context.params).nextauth;
  if (failure && action === 'callback' && listProviders().some(({ id }) => id === providerId)) {
    const isLinking = (await endLinking()) !== null;
    result.headers.set('Location', failurePath(failure, { isLinking, callbackUrl }));
  }
  return result;
}

/** Where the sign-in that next-auth began continues. */
async function readCallbackUrl(): Promise<string> {
  const kept = (await cookies()).get(callbackUrlCookieName(isSecureApp()))?.value;
  const url = kept === undefined ? null : parseUrl(kept);
  return safePath(url === null ? kept : `${url.pathname}${url.search}`);
}

export { handle as GET, handle as POST };
