import { DomainError } from '@/lib/core/errors';
import { route } from '@/lib/web/http/route';

const unknownPath = async () => {
  throw new DomainError('NOT_FOUND', 'This API path does not exist. See /docs for all paths.');
};

/** All other paths below /api: a JSON error, never an HTML page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: unknownPath,
  POST: unknownPath,
  PUT: unknownPath,
  PATCH: unknownPath,
  DELETE: unknownPath,
  OPTIONS: unknownPath,
});
