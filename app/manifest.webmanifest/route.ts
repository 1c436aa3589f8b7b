import type { MetadataRoute } from 'next';
import { CANVAS } from '@/components/shell/theme';
import { getEnvironment } from '@/lib/env';

export const dynamic = 'force-dynamic';

/** The dashboard as an app that browsers install. Only the host of the dashboard has it, not the domains of status pages. */
export function GET(): Response {
  const { SERVICE_NAME: name } = getEnvironment();
  const manifest: MetadataRoute.Manifest = {
    id: '/monitors',
    name,
    short_name: name,
    description: 'Uptime monitoring',
    start_url: '/monitors',
    scope: '/',
    display: 'standalone',
    background_color: CANVAS.light,
    theme_color: CANVAS.light,
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
  const headers = { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, max-age=3600' };
  return new Response(JSON.stringify(manifest), { headers });
}
