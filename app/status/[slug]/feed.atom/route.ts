import { feedResource } from '../../page-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = feedResource('atom');
