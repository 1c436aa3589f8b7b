import type { ActionProblem, ActionResult } from '@/components/ui/action-result';
import type { PushTarget } from '@/lib/schemas/push';

/** Why this browser cannot be notified, and what to do. */
export const OBSTACLES = {
  insecure:
    'Browsers allow push notifications only over https. Open this page at an https address, or ask the operator of this service to set one up.',
  homeScreen:
    'On iPhone and iPad, add this page to the Home Screen first: tap Share, then Add to Home Screen. Open it from there, and turn notifications on here.',
  unsupported: 'This browser does not support push notifications.',
  blocked:
    'This browser blocks notifications from this site. Allow them in the site settings of the browser, then reload this page.',
} as const;

export type Obstacle = keyof typeof OBSTACLES;

/** Safari on an iPad says that it is a Mac. */
const isOnIos = () =>
  /iPhone|iPad/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** What prevents notifications in this browser; null: nothing. */
export function findObstacle(): Obstacle | null {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return isOnIos() ? 'homeScreen' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'blocked' : null;
}

type Service = {
  readKey: () => Promise<ActionResult<string>>;
  add: (target: PushTarget) => Promise<ActionProblem>;
};

/** Asks the person for permission, and the push service of the browser for an address, which the service gets. Returns an error message, or null. */
export async function subscribe({ readKey, add }: Service): Promise<ActionProblem> {
  // First, while browsers still know that the person pressed a button.
  const permission = await Notification.requestPermission();
  if (permission === 'denied') return OBSTACLES.blocked;
  if (permission !== 'granted') return 'Notifications stay off until you allow them.';
  const { value: key, problem } = await readKey();
  if (key === null) return problem;
  let target: PushTarget;
  try {
    target = await readTarget(key);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The push service of this browser did not respond as expected: ${reason}`;
  }
  return add(target);
}

async function readTarget(applicationServerKey: string): Promise<PushTarget> {
  await navigator.serviceWorker.register('/push-worker.js', { scope: '/' });
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  // Of another installation at this address.
  if (known && encode(known.options.applicationServerKey) !== applicationServerKey) await known.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh, auth } };
}

function encode(key: ArrayBuffer | null): string {
  const bytes = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
