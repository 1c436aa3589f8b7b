// Shows the alerts that Pharos sends to this browser, also while no page of it is open. It handles no requests and stores nothing.

const ACKNOWLEDGE = { action: 'acknowledge', title: 'Acknowledge' };
const OPEN = { action: 'open', title: 'Open' };

addEventListener('install', () => skipWaiting());

addEventListener('push', (event) => event.waitUntil(show(event.data.json())));

addEventListener('notificationclick', (event) => {
  const { data } = event.notification;
  event.notification.close();
  event.waitUntil(event.action === 'acknowledge' ? acknowledge(data) : open(data.path));
});

// The push service replaced the address of this browser: the service has to know the next one.
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));

async function show(alert) {
  const { title, body, tag, id, acknowledge } = alert;
  // What was sent twice is shown once, and one alert replaces another about the same incident.
  const shown = await registration.getNotifications({ tag });
  const isRepeated = shown.some(({ data }) => data?.id === id);
  const actions = acknowledge ? [ACKNOWLEDGE, OPEN] : [OPEN];
  await registration.showNotification(title, {
    ...look(tag),
    body,
    data: alert,
    actions,
    renotify: !isRepeated,
  });
}

async function acknowledge({ acknowledge, tag, title, path }) {
  const outcome = await post(
    '/acknowledge/from-notification',
    Object.fromEntries(new URLSearchParams(acknowledge)),
  );
  const data = { path };
  const body = outcome.ok ? title : outcome.message;
  const heading = outcome.ok ? 'Acknowledged' : 'Not acknowledged';
  await registration.showNotification(heading, { ...look(tag), body, data, actions: [OPEN] });
}

const look = (tag) => ({ tag, icon: '/icons/icon-192.png', badge: '/icons/icon-192.png' });

/** In the tab that shows it, or in a new one: another tab could have a form that is half filled in. */
async function open(path) {
  const url = new URL(path, location.origin).href;
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find((each) => each.url === url);
  return tab ? tab.focus() : clients.openWindow(url);
}

async function renew({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options ?? { userVisibleOnly: true };
  const { endpoint, keys } = (
    newSubscription ?? (await registration.pushManager.subscribe(options))
  ).toJSON();
  await post('/settings/profile/push', { endpoint, keys });
}

async function post(path, body) {
  try {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return await response.json();
  } catch {
    return { ok: false, message: 'The service did not respond. Check your connection and try again.' };
  }
}
