import NextAuth from 'next-auth';
import { createAuthOptions } from '@/lib/auth/options';
import { isSecureApp } from '@/lib/http/dashboard-session';
import { getWeb } from '@/lib/http/server-services';

type Context = { params: Promise<{ nextauth: string[] }> };

const handle = (request: Request, context: Context): Promise<Response> =>
  NextAuth(createAuthOptions(getWeb().services, { isSecure: isSecureApp() }))(request, context);

export { handle as GET, handle as POST };
