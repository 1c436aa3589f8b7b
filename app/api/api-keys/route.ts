import { apiKeys } from './operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiKeys['/api-keys'];
