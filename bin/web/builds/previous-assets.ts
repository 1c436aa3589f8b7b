import { readdir, readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import type { Clock } from '@/lib/core/time/clock';
import { ASSETS_STAY_MS, listOtherBuilds, readRetirement } from './web-builds';

const PREFIX = '/_next/static/';

/** Types of the files that Next writes there. */
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=UTF-8',
  '.ico': 'image/x-icon',
  '.js': 'application/javascript; charset=UTF-8',
  '.json': 'application/json; charset=UTF-8',
  '.map': 'application/json; charset=UTF-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

type Asset = { file: string; expiresAt: number };

/** The assets of previous builds by the path of their URL. */
export type PreviousAssets = ReadonlyMap<string, Asset>;

/** Finds the assets that previous builds have and `current` does not. */
export async function listPreviousAssets(options: {
  root: string;
  current: string;
  now: Date;
}): Promise<PreviousAssets> {
  const { root, current, now } = options;
  const own = new Set(await listAssets(join(root, current)));
  const assets = new Map<string, Asset>();
  for (const directory of await listOtherBuilds(root, current)) {
    const since = (await readRetirement(directory)) ?? now;
    const expiresAt = since.getTime() + ASSETS_STAY_MS;
    for (const path of await listAssets(directory)) {
      const known = assets.get(path);
      if (own.has(path) || (known !== undefined && known.expiresAt >= expiresAt)) continue;
      assets.set(path, { file: join(directory, 'static', path.slice(PREFIX.length)), expiresAt });
    }
  }
  return assets;
}

/** The paths of the assets of a build; none if there is no such directory. */
async function listAssets(build: string): Promise<string[]> {
  const directory = join(build, 'static');
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => PREFIX + relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/**
 * Responds with assets of previous builds, so that pages that are open during an upgrade can load the rest of theirs. Everything else goes to
 * `pass`. Paths are looked up among those of the files, so no path leads elsewhere.
 */
export function withPreviousAssets(
  assets: PreviousAssets,
  clock: Clock,
  pass: RequestListener,
): RequestListener {
  return (request, response) => {
    const { url = '', method } = request;
    const path = url.split('?', 1)[0] ?? '';
    const asset = path.startsWith(PREFIX) ? assets.get(path) : undefined;
    const isRead = method === 'GET' || method === 'HEAD';
    if (asset === undefined || !isRead || clock.now().getTime() >= asset.expiresAt) {
      return pass(request, response);
    }
    readFile(asset.file).then(
      (body) => {
        response.writeHead(200, {
          'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Content-Length': body.length,
        });
        response.end(method === 'HEAD' ? undefined : body);
      },
      // It was removed meanwhile, and is not found.
      () => pass(request, response),
    );
  };
}
