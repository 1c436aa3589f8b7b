import { incidents } from './operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = incidents['/incidents'];
