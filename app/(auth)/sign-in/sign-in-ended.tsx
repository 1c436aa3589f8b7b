import { AuthCard, DeadLink } from '@/components/auth/auth-card';

/** In place of the next step of a sign-in that took too long. */
export function SignInEnded() {
  return (
    <AuthCard title="This sign-in has ended">
      <DeadLink reason="Sign-in takes at most 10 minutes." href="/sign-in" label="Sign in again" />
    </AuthCard>
  );
}
