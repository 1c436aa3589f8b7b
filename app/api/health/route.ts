import { service } from '../service/operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = service['/health'];
