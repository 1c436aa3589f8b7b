import type { OwnOrganization } from './own-organization';

/** A paused monitor with a tag, an open incident of it, and a published status page: what most pages need to show something. */
export async function addSamples({ api, id }: OwnOrganization, name: string) {
  const target = { url: 'http://127.0.0.1:9/', enabled: false };
  const { id: monitor } = (await api('POST', '/monitors', { name: 'Shop', tags: ['eu'], ...target })).body;
  const slug = `${name}-${id.slice(-12).toLowerCase()}`;
  await api('POST', '/status-pages', { name: 'Acme', slug, monitors: [monitor], published: true });
  await api('POST', '/incidents', { title: 'Checkout fails', affectedMonitors: [monitor] });
  return { monitor: String(monitor), slug };
}
