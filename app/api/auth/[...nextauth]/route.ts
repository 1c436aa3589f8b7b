import NextAuth from 'next-auth';
import { DomainError } from '@/lib/core/errors';
import { createAuthOptions } from '@/lib/web/auth/sign-in';
import { isSecureApp, requestBaseUrl, requireSameOrigin } from '@/lib/web/http/address/request-address';
import { getWeb } from '@/lib/web/http/server-services';
import { signInVisitor } from '@/lib/web/http/sign-in/visitor-sign-in';

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
