import { invitations } from '../operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = invitations['/invitations/{id}'];
