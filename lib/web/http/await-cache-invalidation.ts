/**
 * Next has its own module instances in the same process; functions of our server are passed through this
 * global.
 */
const shared = globalThis as typeof globalThis & { pharosAwaitCacheInvalidation?: () => Promise<void> };

/** Registers how this process waits until its cache holds no page older than the latest commit. */
export function onAwaitCacheInvalidation(wait: () => Promise<void>): void {
  shared.pharosAwaitCacheInvalidation = wait;
}

/**
 * Resolves when this process shows no page older than the latest commit. Every change by the API or the
 * dashboard waits for it, so that its author sees the result. Does nothing without a cache.
 */
export async function awaitCacheInvalidation(): Promise<void> {
  await shared.pharosAwaitCacheInvalidation?.();
}
