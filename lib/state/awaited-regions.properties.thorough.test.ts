import './awaited-regions.properties.test';
