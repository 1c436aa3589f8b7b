import { me } from './operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = me['/me'];
