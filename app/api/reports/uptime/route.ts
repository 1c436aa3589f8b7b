import { reports } from '../operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = reports['/reports/uptime'];
