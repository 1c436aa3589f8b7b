import { DomainError } from '@/lib/core/errors';
import { route } from '@/lib/web/http/route';

const unknownPath = async () => {
  throw new DomainError('NOT_FOUND', 'There is no such API path.');
};

/** Every other path below /api: an error in JSON, never an HTML page. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: unknownPath,
  POST: unknownPath,
  PUT: unknownPath,
  PATCH: unknownPath,
  DELETE: unknownPath,
  OPTIONS: unknownPath,
});
