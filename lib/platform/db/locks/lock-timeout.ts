/** The lock was not available in time, or the statement lost a deadlock. */
const LOCK_FAILURE = /^(55P03|40P01)$/;

/** Whether a statement failed because others held a lock, whatever wraps the error. */
export function isLockTimeout(error: unknown): boolean {
  for (let one = error; typeof one === 'object' && one !== null; one = Reflect.get(one, 'cause')) {
    const adapted: unknown = Reflect.get(Object(Reflect.get(one, 'meta')), 'driverAdapterError');
    if (adapted !== undefined && isLockTimeout(adapted)) return true;
    const codes = [Reflect.get(one, 'originalCode'), Reflect.get(one, 'code')];
    if (codes.some((code) => LOCK_FAILURE.test(String(code)))) return true;
  }
  return false;
}
