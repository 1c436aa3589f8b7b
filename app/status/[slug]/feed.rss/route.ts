import { feedResource } from '../../feed-resource';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = feedResource('rss');
