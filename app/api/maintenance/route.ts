import { maintenance } from './operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = maintenance['/maintenance'];
