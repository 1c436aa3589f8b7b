import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dashboard = fileURLToPath(new URL('../../(dashboard)', import.meta.url));

/** The paths of all pages and exports of the dashboard, with parameters as in folder names: `/monitors/[id]`. */
export function listDashboardPaths(): string[] {
  return readdirSync(dashboard, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)(page\.tsx|route\.ts)$/.test(file))
    .map((file) => {
      const folders = file.split('/').slice(0, -1);
      return `/${folders.filter((folder) => !/^\(.*\)$/.test(folder)).join('/')}`;
    })
    .toSorted();
}
