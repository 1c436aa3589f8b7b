import { webhooks } from './operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = webhooks['/webhooks'];
