import { members } from './operations';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = members['/members'];
