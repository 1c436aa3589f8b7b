import type { CheckType } from '../check-type';

/** The status follows from that of other monitors: enough of them must be up. */
export const group: CheckType = {
  isProbed: false,
  follows: 'members',
  target: { shape: 'empty', parse: (text) => (text === '' ? { host: null } : null) },
  form: { label: 'Members', placeholder: '', groups: ['members'] },
  texts: { label: 'Group', request: () => 'status of its members' },
  phases: [],
  assertions: [],
};
