import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { listenLocally } from '@/lib/testing/http-listener';
import { ATTEMPT_MS } from '../support/page-checks';
import { expect, test } from '../support/shared-service';

const WIDGET = createRequire(import.meta.url).resolve('@statuspage/status-widget/dist/index.js');

/** Serves the API of Statuspage at the root of a host, as a page on its own domain does, and a website with the widget of Statuspage. */
async function startWebsite(page: string) {
  const script = await readFile(WIDGET);
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.startsWith('/api/v2/')) {
      const { status, headers, body } = await fetch(`${page}${pathname}`, {
        headers: { 'Accept-Encoding': 'identity' },
      });
      response.writeHead(status, Object.fromEntries(headers));
      for await (const chunk of body ?? []) response.write(chunk);
      return response.end();
    }
    response.setHeader('Content-Type', pathname === '/widget.js' ? 'text/javascript' : 'text/html');
    return response.end(
      pathname === '/widget.js'
        ? script
        : `<!doctype html><body><script src="/widget.js"></script><statuspage-widget src="${url}">`,
    );
  });
  const listener = await listenLocally(server);
  const { url } = listener;
  return listener;
}

test("Statuspage's own widget reads a page with sections, from another origin", async ({
  page,
  service,
  organization,
}) => {
  const { api } = organization;
  const slug = `widget-${organization.id.slice(-6)}`;
  const sections = [{ name: 'Phones', items: [{ name: 'Hotline' }, { name: 'Callbacks' }] }];
  const created = await api('POST', '/status-pages', { name: 'Acme', slug, published: true, sections });
  const [hotline] = created.body.sections[0].items;
  const website = await startWebsite(`${service.url}/status/${slug}`);
  try {
    // Another origin than the one that the widget reads.
    await page.goto(website.url.replace('127.0.0.1', 'localhost'));
    const widget = page.locator('statuspage-widget');
    await expect(widget.locator('.status-text')).toHaveText('All systems operational');
    await expect(widget.locator('.status-indicator')).toHaveClass(/none/);
    const incident = { title: 'Nobody picks up', severity: 'critical' };
    await api('POST', '/incidents', { ...incident, affectedComponents: [hotline.componentId] });
    // The browser may show what it has once more while it asks for news: stale-while-revalidate.
    await expect(async () => {
      await page.reload();
      await expect(widget.locator('.status-text')).toHaveText('Major outage: Hotline', {
        timeout: ATTEMPT_MS,
      });
    }).toPass();
    await expect(widget.locator('.status-indicator')).toHaveClass(/critical/);
  } finally {
    await website.close();
  }
});
