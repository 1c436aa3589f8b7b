/** Signs in over next-auth's own path like a browser. Returns the session cookie, or null if the password is rejected. */
export async function signInByPassword(
  url: string,
  { email, password }: { email: string; password: string },
): Promise<string | null> {
  const csrf = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const cookie = csrf.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const response = await fetch(`${url}/api/auth/callback/credentials`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ csrfToken, email, password }),
  });
  const set = response.headers.getSetCookie().find((each) => each.includes('session-token='));
  return set?.split(';')[0]?.split('=')[1] ?? null;
}
