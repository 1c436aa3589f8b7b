import type { Services } from '@/lib/domain/context/services';
import type { Database } from '@/lib/platform/db/client';

/** Services whose first matching query runs, but loses its response, as on a broken connection. */
export function loseResponse(services: Services, matching: RegExp): Services {
  let isLost = false;
  const queryRaw = async (...query: Parameters<Database['$queryRaw']>) => {
    const rows = await services.db.$queryRaw(...query);
    const text = 'sql' in query[0] ? query[0].sql : query[0].join(' ');
    if (isLost || !matching.test(text)) return rows;
    isLost = true;
    throw new Error('Connection terminated unexpectedly');
  };
  const db = new Proxy(services.db, {
    get: (target, name) => (name === '$queryRaw' ? queryRaw : Reflect.get(target, name)),
  });
  return { ...services, db };
}
