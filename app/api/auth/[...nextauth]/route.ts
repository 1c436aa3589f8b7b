import NextAuth from 'next-auth';
import { createAuthOptions } from '@/lib/auth/options';
import { DomainError } from '@/lib/core/errors';
import { isSecureApp } from '@/lib/http/is-secure-app';
import { requestBaseUrl } from '@/lib/http/request-base-url';
import { requireSameOrigin } from '@/lib/http/same-origin';
import { getWeb } from '@/lib/http/server-services';
import { signInVisitor } from '@/lib/http/sign-in-visitor';

type Context = { params: Promise<{ nextauth: string[] }> };

async function handle(request: Request, context: Context): Promise<Response> {
  try {
    requireSameOrigin(request, [requestBaseUrl(request.headers)]);
  } catch (error) {
    if (error instanceof DomainError) return new Response(`${error.message}\n`, { status: 403 });
    throw error;
  }
  const { services } = getWeb();
  const options = createAuthOptions({ services, isSecure: isSecureApp(), signIn: signInVisitor });
  return NextAuth(options)(request, context);
}

export { handle as GET, handle as POST };
