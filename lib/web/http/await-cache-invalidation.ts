/** Next has modules of its own in the same process; what its operations need of our server is handed over here. */
const shared = globalThis as typeof globalThis & { pharosSettlePages?: () => Promise<void> };

/** Says how this process makes sure that it shows nobody a page from before what was committed until now. */
export function onAwaitCacheInvalidation(settle: () => Promise<void>): void {
  shared.pharosSettlePages = settle;
}

/**
 * Resolves when this process shows no page from before what was committed until now. Every change by the API or the
 * dashboard waits for it, so that who made it sees it. Does nothing where no cache is in front.
 */
export async function awaitCacheInvalidation(): Promise<void> {
  await shared.pharosSettlePages?.();
}
