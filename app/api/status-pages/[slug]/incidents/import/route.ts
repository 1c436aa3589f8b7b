import { statusPages } from '../../../operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =
  statusPages['/status-pages/{slug}/incidents/import'];
