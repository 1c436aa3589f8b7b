import { audit } from '../operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = audit['/audit/export'];
