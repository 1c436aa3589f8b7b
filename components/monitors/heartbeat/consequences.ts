/** The calls of a job so far. */
type Calls = { calledAt: Date | null; deadlineAt: Date | null; lateSince: Date | null };

/** What replacing the URL that a job calls means. */
export function formatUrlReplacement({ calledAt, deadlineAt, lateSince }: Calls): string {
  const effect = 'The current URL stops working at once.';
  if (calledAt === null) return `${effect} The monitor stays pending until the job calls the new one.`;
  if (lateSince !== null) return `${effect} The job stays late until it calls the new one.`;
  return deadlineAt === null ? effect : `${effect} The job is late if it does not call the new one in time.`;
}
