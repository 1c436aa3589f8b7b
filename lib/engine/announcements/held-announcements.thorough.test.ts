import './held-announcements.test';
