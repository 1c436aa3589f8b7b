import { monitors } from '../operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = monitors['/monitors/import'];
