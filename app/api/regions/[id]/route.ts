import { regions } from '../operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = regions['/regions/{id}'];
