/** Codes of the library's errors, and names of the browser's own, with what people read. */
const PROBLEMS: Record<string, string> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'This device already has a passkey for your account.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This device has no PIN, fingerprint, or face unlock, which passkeys require.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT: 'This device cannot store passkeys.',
  ERROR_INVALID_DOMAIN: 'Passkeys do not work at this address. Open the service at its public URL.',
  ERROR_INVALID_RP_ID: 'Passkeys do not work at this address. Open the service at its public URL.',
  NotAllowedError: 'The passkey request was canceled or timed out. Try again.',
};

/** Why a browser did not use or create a passkey. */
export function formatPasskeyProblem(error: unknown): string {
  const { code, name } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
  const keys = [code, name].filter((key) => typeof key === 'string');
  const known = keys.find((key) => key in PROBLEMS);
  return PROBLEMS[known ?? ''] ?? 'This browser could not use a passkey.';
}
