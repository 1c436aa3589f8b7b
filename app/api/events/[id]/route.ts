import { markers } from '../operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = markers['/events/{id}'];
