/** Captured when this module is loaded, which is before Next loads its server. */
const NativeDate = Date;

/**
 * Undoes that Next replaces `Date` with a class that looks up the current request each time, for Cache Components, which we do not use. A
 * page creates hundreds of dates. Next has no setting for it; what to check when it is upgraded: bin/web/next-internals.test.ts. Call this
 * once Next is prepared.
 */
export function restoreDate(): void {
  globalThis.Date = NativeDate;
  Object.defineProperty(NativeDate.prototype, 'constructor', { value: NativeDate });
}
