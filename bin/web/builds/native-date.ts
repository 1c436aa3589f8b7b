/** Captured when this module is loaded, which is before Next loads its server. */
const NativeDate = Date;

/**
 * Undoes that Next replaces `Date` with a class that looks up the current request each time, for Cache Components, which we do not use. A
 * page creates hundreds of dates. Call it once Next is prepared.
 */
export function restoreDate(): void {
  globalThis.Date = NativeDate;
  Object.defineProperty(NativeDate.prototype, 'constructor', { value: NativeDate });
}
