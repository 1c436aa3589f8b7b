import { deliveries } from '../operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = deliveries['/deliveries/{id}'];
