type Shown = { code: string; message: string };

/** An error as members of the organization see it: with what the target sent. */
export function forMembers<Error extends (Shown & { detail?: string }) | null>(error: Error): Error | Shown {
  return error && { code: error.code, message: error.detail ?? error.message };
}
